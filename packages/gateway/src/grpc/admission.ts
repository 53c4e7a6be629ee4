import { type Result, success } from '@proffer/core';
import type { Negotiations, Party } from '../negotiation/runtime.js';
import type { Call } from './call.js';

/** Who calls on one connection. */
export interface Admission {
  /** Who a token stands for, if that was found out on this connection before. */
  known(token: string | undefined): Party | undefined;
  /** Refuses with `UNAUTHENTICATED`. */
  admit(token: string | undefined): Promise<Result<Party>>;
  /** The same for a call that stays: it counts as a connection of the token until it is over. */
  stay(call: Call): Promise<Result<Party>>;
}

export interface AdmissionOptions {
  readonly negotiations: Negotiations;
  /** Called once, with the first token that counts. */
  readonly onAdmitted: () => void;
}

/** So many tokens of one connection are remembered; more are looked up each time. */
const MOST_TOKENS = 64;

export function createAdmission({ negotiations, onAdmitted }: AdmissionOptions): Admission {
  // What a party may do is asked anew at each call, so only who it is has to be found out once.
  const parties = new Map<string, Party>();

  function remember(token: string | undefined, party: Party): void {
    if (parties.size === 0) onAdmitted();
    if (parties.size < MOST_TOKENS) parties.set(token ?? '', party);
  }

  return {
    known: (token) => parties.get(token ?? ''),
    async admit(token) {
      const known = parties.get(token ?? '');
      if (known !== undefined) return success(known);
      const admitted = await negotiations.admit(token, 'grpc');
      if (admitted.ok) remember(token, admitted.value);
      return admitted;
    },
    async stay(call) {
      const connected = await negotiations.connect(call.token, 'grpc');
      if (!connected.ok) return connected;
      const { party, leave } = connected.value;
      call.onOver(leave);
      return success(party);
    },
  };
}
