import type { Envelope } from '../../envelope/envelope.js';
import type { SpaceCommand } from '../../envelope/kinds.js';
import type { Refusal } from '../../refusal/refusal.js';
import type { Surroundings } from '../context.js';
import { delegateAll } from '../delegation/delegate-all.js';
import { decideGrant } from '../grants/decide-grant.js';
import { decideRevoke } from '../grants/decide-revoke.js';
import { decidePause, decideResume } from '../pause/pause.js';
import type { ParticipantRecord } from '../records.js';
import type { SpaceState } from './space.js';

/** Decides a message of a space. The record goes to the stream of the participant it is about. */
type DecideInSpace = (
  space: SpaceState,
  envelope: Envelope,
  surroundings: Surroundings,
) =>
  | { readonly record: ParticipantRecord; readonly refused?: never }
  | { readonly refused: Refusal; readonly record?: never };

/** Every command that is about a space or one of its participants, and not about one proposal. */
export const SPACE_COMMANDS: Readonly<Record<SpaceCommand, DecideInSpace>> = {
  delegate_all: delegateAll,
  grant: decideGrant,
  revoke: decideRevoke,
  pause: decidePause,
  resume: decideResume,
};
