import type { Envelope } from '../../envelope/envelope.js';
import type { JsonObject } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { DecisionContext } from '../context.js';
import { fingerprint } from '../proposal/fingerprint.js';
import type { ApprovalsPaused, ApprovalsResumed } from '../records.js';
import type { SpaceState } from '../space/space.js';

/** The last change to whether proposals can be approved in a space. */
export type Pause = {
  readonly isPaused: boolean;
  readonly by: string;
  readonly at: number;
  readonly reason?: string;
};

/** Pauses all approvals of a space. Pausing again is recorded, too. */
export const decidePause = changeTo('approvals_paused');

/** Ends a pause. Resuming without a pause is recorded, too. */
export const decideResume = changeTo('approvals_resumed');

function changeTo<Type extends (ApprovalsPaused | ApprovalsResumed)['type']>(type: Type) {
  return ({ pause }: SpaceState, envelope: Envelope, { now }: DecisionContext) => {
    const { from: participant } = envelope;
    const { reason } = envelope.payload;
    const record = {
      type,
      // Later than the last change known here, whatever the clocks say: an accepted message has an
      // effect.
      time: Math.max(now, (pause?.at ?? 0) + 1),
      principal: participant,
      envelope,
      facts: {
        participant,
        fingerprint: fingerprint(envelope),
        ...(typeof reason === 'string' ? { reason } : {}),
      },
    };
    return { record };
  };
}

/**
 * The state after a record: the latest change counts, whichever stream it came in by. Two gateways
 * may see the streams of two participants in a different order, so the times decide, and the names if
 * those are equal (I-3).
 */
export function pauseAfter(
  before: Pause | undefined,
  { type, time: at, principal: by, facts }: ApprovalsPaused | ApprovalsResumed,
): Pause {
  if (before !== undefined && (before.at > at || (before.at === at && before.by > by))) return before;
  const { reason } = facts;
  return { isPaused: type === 'approvals_paused', by, at, ...(reason === undefined ? {} : { reason }) };
}

/** Why nothing can be approved in a space now, if approvals are paused. */
export function refusePaused({ pause, settings }: SpaceState): Refusal | undefined {
  if (pause === undefined || !pause.isPaused) return undefined;
  const { by, reason } = pause;
  const why = reason === undefined ? '' : `: ${reason}`;
  const message = `${by} paused all approvals in ${settings.name}${why}`;
  return refuse('approvals_paused', message.endsWith('.') ? message : `${message}.`, viewPause(pause));
}

/** A pause as others see it: who, when and why. */
export function viewPause({ by, at, reason }: Pause): JsonObject {
  return { by, at, ...(reason === undefined ? {} : { reason }) };
}
