import { type Result, success } from '@proffer/core';
import type { Authenticator, Principal } from './auth/index.js';
import { type Company, type ConnectionLimiter, createCompany, type Leave } from './limits/index.js';

/** Someone who was let in. */
export interface Visitor {
  readonly name: string;
  /** Names the credential; limits per token count by it. */
  readonly credential: string;
  /** The principal at the moment; a refusal once its credential no longer counts (I-4). */
  readonly current: () => Result<Principal>;
  /** For a connection that stays: counts it as one of the token until `leave` is called. Refuses one too many. */
  readonly stay: () => Result<Leave>;
}

/** The entrance for everyone, on every transport and for both planes. */
export interface Door {
  /** Those who send. */
  readonly company: Company;
  /** The principal of a token. */
  enter(token: string | undefined): Promise<Result<Visitor>>;
  /** A participant that another service vouches for, under the name of that credential. */
  vouch(name: string, credential: string): Result<Visitor>;
}

export interface DoorOptions {
  readonly authenticator: Authenticator;
  /** Limits the connections of a token, of any kind. */
  readonly connections: ConnectionLimiter;
}

export function createDoor({ authenticator, connections }: DoorOptions): Door {
  function letIn(authenticated: Result<Principal>): Result<Visitor> {
    if (!authenticated.ok) return authenticated;
    let principal = authenticated.value;
    const { name, credential } = principal;
    return success({
      name,
      credential,
      current() {
        const current = authenticator.current(principal);
        if (current.ok) principal = current.value;
        return current;
      },
      stay: () => connections.open(credential),
    });
  }

  return {
    company: createCompany(),
    enter: async (token) => letIn(await authenticator.authenticate(token)),
    vouch: (name, credential) => letIn(authenticator.vouchedFor(name, credential)),
  };
}
