import type { Envelope } from '../../envelope/envelope.js';
import type { Surroundings } from '../context.js';
import { participantStream } from '../records.js';
import type { SpaceDecision } from '../space/decide-in-space.js';
import type { SpaceState } from '../space/space.js';
import { decideGrant } from './decide-grant.js';
import { decideRevoke } from './decide-revoke.js';

/** Decides a grant or a revocation. It belongs to the stream of whoever is granted something. */
export function decideAboutGrant(
  space: SpaceState,
  envelope: Envelope,
  surroundings: Surroundings,
  command: 'grant' | 'revoke',
): SpaceDecision {
  const decide = command === 'grant' ? decideGrant : decideRevoke;
  const decision = decide(space, envelope, surroundings);
  if ('refused' in decision) return decision;
  const { record } = decision;
  const { participant } = record.facts;
  const stream = participantStream(space.settings.name, participant);
  const expectedVersion = space.participants.get(participant)?.version ?? 0;
  return { appends: [{ stream, expectedVersion, records: [record] }] };
}
