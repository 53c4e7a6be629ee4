import type { Clock } from '@proffer/client/own-calls';
import { type Participant, RefusedError } from '@proffer/client/participation';
import type { GatedCall } from './propose-call.js';

export interface AwayMarksOptions {
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
  'The caller is disconnected. If this is approved, it runs as soon as the caller comes back, or it expires.';

function awayText(window: number): string {
  return `The caller is disconnected. It runs only when the caller makes the call again, and is withdrawn if that does not happen within ${Math.round(window / 1_000)} s.`;
}
