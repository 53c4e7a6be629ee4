import type { ActedAlone, ProposalRecord } from '../records.js';
import { noticeTo } from '../routing/participant-notice.js';
import type { SpaceState } from '../space/space.js';
import type { StreamAppend } from '../space/space-decision.js';

/**
 * What must be in the journal before an agent's approval counts alone (O-28): one more use. It goes
 * to the agent's own stream, so that two gateways cannot both take the last one, and it is recorded
 * before the approval is appended: a crash in between wastes one, and never adds one. `undefined` if
 * no agent acts alone, or this call is already counted.
 */
export function countAlone(space: SpaceState, records: readonly ProposalRecord[]): StreamAppend | undefined {
  const record = records.find(({ facts }) => 'alone' in facts && facts.alone);
  if (record === undefined || !('entry' in record.facts) || record.facts.entry === undefined)
    return undefined;
  const { time } = record;
  const participant = record.type === 'counter_accepted' ? record.facts.author : record.principal;
  const { entry, proposal: about } = record.facts;
  const agent = space.participants.get(participant);
  if (agent?.alone?.some((use) => use.proposal === about && use.entry === entry) === true) return undefined;
  const payload = { notice: 'acted_alone', entry, proposal: about, by: participant } as const;
  const { stream, expectedVersion, noticed } = noticeTo(space, { participant, about, time, payload });
  const counted: ActedAlone = { type: 'acted_alone', ...noticed, facts: { participant, entry, about } };
  return { stream, expectedVersion, records: [counted] };
}
