import { GATEWAY, PROTOCOL } from '../../envelope/envelope.js';
import { sha256 } from '../../hash/sha256.js';
import { participantStream } from '../records.js';
import type { SpaceState } from '../space/space.js';
import type { NoticePayload } from './notice.js';

/** A notice about a proposal that goes to the stream of a participant instead of the proposal's own. */
export interface ParticipantNotice {
  readonly participant: string;
  /** The id of the proposal. */
  readonly about: string;
  readonly time: number;
  readonly payload: NoticePayload;
}

/**
 * Where a notice to a participant is appended, and what its record has in common with others of this kind. Its id follows
 * from the participant and the version of its stream, so that two gateways cannot both record it.
 */
export function noticeTo(space: SpaceState, { participant, about, time, payload }: ParticipantNotice) {
  const expectedVersion = space.participants.get(participant)?.version ?? 0;
  const unique = sha256(`${participant}#${expectedVersion + 1}`).slice(0, 32);
  const envelope = {
    protocol: PROTOCOL,
    id: `system:${unique}`,
    ts: new Date(time).toISOString(),
    from: GATEWAY,
    to: [participant],
    kind: 'system.notice',
    correlationId: about,
    payload,
  } as const;
  const stream = participantStream(space.settings.name, participant);
  return { stream, expectedVersion, noticed: { time, principal: GATEWAY, envelope } } as const;
}
