import { failure, type Refusal, type Result, success } from '@proffer/core';
import type { Authenticator, CallerIdentity } from './auth/index.js';
import {
  type ActiveSenders,
  type ConnectionLimiter,
  createActiveSenders,
  type ReleaseConnection,
} from './limits/index.js';

/** An authenticated caller. */
export interface Caller {
  readonly name: string;
  /** Names the credential; limits per token count by it. */
  readonly credential: string;
  /** The current caller; a refusal once its credential is no longer valid (I-4). */
  readonly current: () => Result<CallerIdentity>;
  /** For a long-lived connection: counts against the token until `leave` is called. Refuses one too many. */
  readonly stay: () => Result<ReleaseConnection>;
}

/** Authenticates everyone, on every transport, for operations and negotiations. */
export interface Door {
  /** Current senders. */
  readonly activeSenders: ActiveSenders;
  /** The caller of a token. */
  enter(token: string | undefined): Promise<Result<Caller>>;
  /** A participant that another service vouches for, under the name of that credential. */
  vouch(name: string, credential: string): Result<Caller>;
}

export interface DoorOptions {
  readonly authenticator: Authenticator;
  /** Limits the connections of a token, of any kind. */
  readonly connections: ConnectionLimiter;
  /** Why nobody is let in at the moment; `undefined` usually. Default: always. */
  readonly check?: () => Refusal | undefined;
}

export function createDoor({ authenticator, connections, check = allow }: DoorOptions): Door {
  function letIn(authenticated: Result<CallerIdentity>): Result<Caller> {
    if (!authenticated.ok) return authenticated;
    let identity = authenticated.value;
    const { name, credential } = identity;
    return success({
      name,
      credential,
      current() {
        const current = authenticator.current(identity);
        if (current.ok) identity = current.value;
        return current;
      },
      stay: () => connections.open(credential),
    });
  }

  return {
    activeSenders: createActiveSenders(),
    async enter(token) {
      const authenticated = await authenticator.authenticate(token);
      const closed = check();
      return closed === undefined ? letIn(authenticated) : failure(closed);
    },
    vouch(name, credential) {
      const closed = check();
      return closed === undefined ? letIn(authenticator.vouchedFor(name, credential)) : failure(closed);
    },
  };
}

const allow = (): undefined => undefined;
