import type { Clock, WaitingClient } from '@proffer/client/own-calls';
import { type Participant, RefusedError } from '@proffer/client/participation';
import type { GatedCall } from './propose-call.js';

interface Parked {
  readonly caller: WaitingClient;
  readonly reference: WeakRef<GatedCall>;
}

/**
 * Callers that were answered and will come back for the outcome, of one connection or of all clients without
 * sessions: one per call. They do not keep an otherwise unreferenced call in memory (I-7).
 */
export class ParkedCallers {
  readonly #parked = new WeakMap<GatedCall, Parked>();
  readonly #references = new Set<WeakRef<GatedCall>>();
  readonly #collected = new FinalizationRegistry<WeakRef<GatedCall>>((reference) =>
    this.#references.delete(reference),
  );

  /** Adds a caller to a call, replacing the one it had. */
  add(call: GatedCall, caller: WaitingClient): void {
    this.remove(call);
    const reference = new WeakRef(call);
    this.#parked.set(call, { caller, reference });
    this.#references.add(reference);
    this.#collected.register(call, reference, reference);
    call.join(caller);
  }

  remove(call: GatedCall): void {
    const parked = this.#parked.get(call);
    if (parked === undefined) return;
    this.#parked.delete(call);
    this.#references.delete(parked.reference);
    this.#collected.unregister(parked.reference);
    call.leave(parked.caller);
  }

  /** The connection has ended: none of them can come back on it. */
  close(): void {
    for (const reference of this.#references) {
      const call = reference.deref();
      if (call !== undefined) this.remove(call);
    }
  }
}

interface AwayMarksOptions {
  readonly participant: Pick<Participant, 'status'>;
  readonly clock: Clock;
  /** How long a call without a caller waits for one to return, in milliseconds. */
  readonly window: number;
}

/**
 * How long a caller may be away before others are told, in milliseconds: most have returned or withdrawn by
 * then.
 */
const UNNOTICED = 2_000;

/**
 * Reports the absence and return of a call's caller to reviewers, with a status of its proposal. Without the
 * capability for that, nothing is sent.
 *
 * @returns to be called when the first caller of a call has come, and when the last has left
 */
export function createAwayMarks({ participant, clock, window }: AwayMarksOptions): (call: GatedCall) => void {
  const marked = new WeakSet<GatedCall>();
  let isAllowed = true;
  const say = ({ facts }: GatedCall, status: 'unable' | 'queued', message: string): void => {
    if (!isAllowed) return;
    participant.status(facts.id, status, message).catch((error: unknown) => {
      if (error instanceof RefusedError && error.code === 'capability_violation') isAllowed = false;
    });
  };
  return (call) => {
    if (!call.isUnattended) {
      if (marked.delete(call) && call.outcome === undefined) say(call, 'queued', BACK);
      return;
    }
    clock.after(UNNOTICED, () => {
      if (!call.isUnattended || marked.has(call)) return;
      marked.add(call);
      say(call, 'unable', call.state.isPromised ? PROMISED : awayText(window));
    });
  };
}

const BACK = 'The caller is connected again.';

const PROMISED =
  'The caller is disconnected. If this call is approved, it runs as soon as the caller reconnects; otherwise it expires.';

function awayText(window: number): string {
  return `The caller is disconnected. This call runs only if the caller makes it again within ${Math.round(window / 1_000)} s; otherwise it is withdrawn.`;
}
