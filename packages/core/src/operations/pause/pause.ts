import type { Envelope } from '../../envelope/envelope.js';
import type { JsonObject } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { Surroundings } from '../context.js';
import { fingerprint } from '../proposal/fingerprint.js';
import { type ApprovalsPaused, type ApprovalsResumed, participantStream } from '../records.js';
import type { SpaceDecision } from '../space/decide-in-space.js';
import type { SpaceState } from '../space/space.js';

/** What was last said about whether proposals can be approved in a space. */
export type Pause = {
  readonly isPaused: boolean;
  readonly by: string;
  readonly at: number;
  readonly reason?: string;
};

/**
 * Pauses all approvals of a space, or ends the pause. Saying what holds already is recorded, too. It counts as later than
 * what was said before it and is known here, whatever the clocks say: what was accepted has an effect.
 */
export function decidePause(
  space: SpaceState,
  envelope: Envelope,
  { now }: Surroundings,
  command: 'pause' | 'resume',
): SpaceDecision {
  const { from: participant } = envelope;
  const { reason } = envelope.payload;
  const record: ApprovalsPaused | ApprovalsResumed = {
    type: command === 'pause' ? 'approvals_paused' : 'approvals_resumed',
    time: Math.max(now, (space.pause?.at ?? 0) + 1),
    principal: participant,
    envelope,
    facts: {
      participant,
      fingerprint: fingerprint(envelope),
      ...(typeof reason === 'string' ? { reason } : {}),
    },
  };
  const stream = participantStream(space.settings.name, participant);
  const expectedVersion = space.participants.get(participant)?.version ?? 0;
  return { appends: [{ stream, expectedVersion, records: [record] }] };
}

/**
 * What holds after a record: the latest word counts, whichever stream it came in by. Two gateways may see the streams of
 * two participants in another order, so the times decide, and the names where those are the same (I-3).
 */
export function pauseAfter(
  before: Pause | undefined,
  { type, time: at, principal: by, facts }: ApprovalsPaused | ApprovalsResumed,
): Pause {
  if (before !== undefined && (before.at > at || (before.at === at && before.by > by))) return before;
  const { reason } = facts;
  return { isPaused: type === 'approvals_paused', by, at, ...(reason === undefined ? {} : { reason }) };
}

/** Why nothing can be approved in a space now, if that is so. */
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
