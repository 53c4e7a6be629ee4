import { type Result, success } from '@proffer/core';
import type { ConnectedNegotiationCaller, NegotiationCaller, Negotiations } from '../../negotiation/index.js';
import type { GrpcCall } from './call/index.js';

/** The callers on one connection. */
export interface GrpcAdmission {
  /** The owner of a token, if it was already determined on this connection. */
  known(token: string | undefined): NegotiationCaller | undefined;
  /** Refuses with `UNAUTHENTICATED`. */
  admit(token: string | undefined): Promise<Result<NegotiationCaller>>;
  /**
   * Admits a long-lived call: it counts as a stream of the token until it ends, and the first of them as a
   * connection, until there is none.
   */
  stay(call: GrpcCall): Promise<Result<NegotiationCaller>>;
}

export interface AdmissionOptions {
  readonly negotiations: Negotiations;
  /** Called once, with the first valid token. */
  readonly onAdmitted: () => void;
}

/** How many tokens of one connection are remembered; others are looked up each time. */
const MAX_TOKENS = 64;

/** The long-lived calls of one token, on one connection. */
interface Staying {
  readonly token: string;
  readonly connecting: Promise<Result<ConnectedNegotiationCaller>>;
  calls: number;
}

export function createAdmission({ negotiations, onAdmitted }: AdmissionOptions): GrpcAdmission {
  // The rights of a caller are checked at each call, so only its identity is determined once.
  const callers = new Map<string, NegotiationCaller>();
  // Tokens with long-lived calls.
  const staying = new Map<string, Staying>();

  function remember(token: string | undefined, caller: NegotiationCaller): void {
    if (callers.size === 0) onAdmitted();
    if (callers.size < MAX_TOKENS) callers.set(token ?? '', caller);
  }

  function stayingWith(token: string): Staying {
    const known = staying.get(token);
    if (known !== undefined) return known;
    const made = { token, calls: 0, connecting: negotiations.connect(token || undefined, 'grpc') };
    staying.set(token, made);
    return made;
  }

  function forget(one: Staying): void {
    if (staying.get(one.token) === one) staying.delete(one.token);
  }

  function leave(one: Staying): void {
    if (--one.calls > 0) return;
    forget(one);
    void one.connecting.then((connected) => connected.ok && connected.value.leave()).catch(() => {});
  }

  return {
    known: (token) => callers.get(token ?? ''),
    async admit(token) {
      const known = callers.get(token ?? '');
      if (known !== undefined) return success(known);
      const admitted = await negotiations.admit(token, 'grpc');
      if (admitted.ok) remember(token, admitted.value);
      return admitted;
    },
    async stay(call) {
      const one = stayingWith(call.token ?? '');
      one.calls++;
      call.onOver(() => leave(one));
      const connected = await one.connecting;
      if (!connected.ok) {
        // The next may find room.
        forget(one);
        return connected;
      }
      const begun = connected.value.stream();
      if (!begun.ok) return begun;
      call.onOver(() => begun.value());
      return success(connected.value.caller);
    },
  };
}
