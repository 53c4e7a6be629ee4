import { grantById } from '../grants/grant.js';
import { endSession } from '../grants/use.js';
import {
  isProposalRecord,
  type OperationRecord,
  type ParticipantRecord,
  type ProposalRecord,
} from '../records.js';
import { addresseesAbsent, nobodyCapable, noticeTo, optionsUnused } from '../routing/notice.js';
import { markSeenBy } from '../routing/visibility.js';
import { predecessorOf } from '../space/servers.js';
import type { SpaceState } from '../space/space.js';
import { isSameRecord } from './same-record.js';

/** Whether the gateway can have made a record on its own: what it found or counted, and nobody sent. */
export function couldBeByGateway(space: SpaceState, record: OperationRecord): boolean {
  return isProposalRecord(record) ? isToldAtOnce(space, record) : isCounted(space, record);
}

/** What the gateway says about a proposal as it is made: what it says depends on who was there. */
function isToldAtOnce(space: SpaceState, record: ProposalRecord): boolean {
  const proposal = space.proposals.get(record.facts.proposal);
  if (proposal === undefined) return false;
  const said = (): ProposalRecord | undefined => {
    switch (record.type) {
      case 'addressees_absent':
        return addresseesAbsent(proposal, record.time, record.facts.absent);
      case 'nobody_capable':
        return nobodyCapable(proposal, record.time);
      case 'options_unused':
        return optionsUnused(proposal, record.time, record.facts.options);
      default:
        return undefined;
    }
  };
  const made = said();
  return (
    made !== undefined &&
    markSeenBy([made], proposal, space.settings).some((one) => isSameRecord(record, one))
  );
}

/** Uses are counted before what they are for, and only take away. */
function isCounted(space: SpaceState, record: ParticipantRecord): boolean {
  switch (record.type) {
    case 'acted_alone':
      return isNoticeTo(space, record, record.facts.about) && space.proposals.has(record.facts.about);
    case 'executor_confirmed': {
      const { participant, about, list, name, insteadOf } = record.facts;
      if (!isNoticeTo(space, record, about)) return false;
      return predecessorOf(space, { list, name }, participant) === insteadOf;
    }
    case 'grant_used': {
      const grant = grantById(space, record.facts.grant);
      return grant?.left !== undefined && record.facts.left === grant.left - 1;
    }
    case 'grant_ended': {
      const ended = endSession(space, record.facts.participant, record.time)?.records ?? [];
      // Of several, those before it are folded already.
      return ended.some((each) => each.type === 'grant_ended' && each.facts.grant === record.facts.grant);
    }
    default:
      return false;
  }
}

function isNoticeTo(space: SpaceState, record: ParticipantRecord, about: string): boolean {
  const { participant } = record.facts;
  const payload = record.envelope.payload as Parameters<typeof noticeTo>[1]['payload'];
  const { noticed } = noticeTo(space, { participant, about, time: record.time, payload });
  return noticed.envelope.id === record.envelope.id && record.envelope.from === noticed.envelope.from;
}
