import type { Decision } from '../../decision.js';
import type { Envelope } from '../../envelope/envelope.js';
import { asksForCapable } from '../../envelope/recipients.js';
import { textOf } from '../../json/fields.js';
import { consequencesFor } from '../consequences.js';
import type { ProposalContext } from '../context.js';
import type { ProposalRecord } from '../records.js';
import { endingBy } from '../review/approvers.js';
import {
  addresseesAbsent,
  declinedBy,
  nobodyCapable,
  optionsUnused,
  outcomeUnknown,
} from '../routing/notice.js';
import type { MessageCommand } from '../routing/route.js';
import { markSeenBy } from '../routing/visibility.js';
import { PROPOSAL_COMMANDS } from './commands.js';
import { unusedOptions } from './decide-propose.js';
import { beginProposal, evolveProposal } from './evolve-proposal.js';
import type { Proposal } from './proposal.js';

/** A command about one proposal. Every envelope's `from` is authenticated and authorised. */
export type ProposalCommand =
  | {
      readonly type: MessageCommand;
      readonly envelope: Envelope;
    }
  /** Time has passed, or someone joined or left: find out what follows. */
  | { readonly type: 'review' };

/**
 * Decides one command about one proposal. The decision uses the state at the current time, whether or
 * not a timer has recorded that yet: an expired proposal is not fulfilled. An accepted message also
 * brings the records that were due before and those that follow from it at once. Any other answer
 * says what was due: it counts when that is recorded.
 */
export function decideProposal(
  proposal: Proposal | undefined,
  command: ProposalCommand,
  context: ProposalContext,
): Decision<ProposalRecord> {
  const due = proposal === undefined ? NOTHING : consequencesFor(proposal, context);
  const { settings } = context;
  if (command.type === 'review') return { records: markSeenBy(due, proposal, settings) };
  const current = due.length === 0 ? proposal : due.reduce<Proposal | undefined>(evolveProposal, proposal);
  const decision = PROPOSAL_COMMANDS[command.type].decide(current, command.envelope, context);
  if (decision.records === undefined)
    return due.length === 0 ? decision : { ...decision, due: markSeenBy(due, proposal, settings) };
  const following = allConsequences(current, decision.records, context);
  if (due.length === 0 && following.length === 0 && settings.visibility === 'all') return decision;
  return { records: markSeenBy([...due, ...decision.records, ...following], current, settings) };
}

const NOTHING: readonly never[] = [];

function allConsequences(
  before: Proposal | undefined,
  records: readonly ProposalRecord[],
  context: ProposalContext,
): readonly ProposalRecord[] {
  const [only] = records;
  // The common case.
  if (only !== undefined && records.length === 1) return consequencesOf(before, only, context);
  return records.flatMap((record) => consequencesOf(before, record, context));
}

/**
 * A proposal may be declined as it is made, a rejection may be the last one, and an unknown outcome is announced;
 * nothing else has an immediate consequence.
 */
function consequencesOf(
  before: Proposal | undefined,
  record: ProposalRecord,
  context: ProposalContext,
): readonly ProposalRecord[] {
  if (record.type === 'proposed') {
    if (record.facts.runsBy !== undefined) return [];
    const unused = unusedOptions(record.envelope);
    const begun = beginProposal(record);
    if (unused.length === 0) return afterProposing(begun, record.envelope, context);
    const told = optionsUnused(begun, context.now, unused);
    return [told, ...afterProposing(evolveProposal(begun, told), record.envelope, context)];
  }
  const isLost = record.type === 'answered' && record.facts.outcome === 'unknown';
  if (before === undefined || (record.type !== 'rejected' && !isLost)) return NOTHING;
  const after = { ...before, version: before.version + 1 };
  if (isLost) return [outcomeUnknown(after, context.now, 'executor_lost_it')];
  const ending = record.type === 'rejected' ? endingBy(before, record, context.settings) : undefined;
  if (ending !== undefined) {
    const { reason } = record.envelope.payload;
    return [declinedBy(after, context.now, { by: record.principal, reason: textOf(reason), ...ending })];
  }
  return consequencesFor(after, context, (name) => name === record.principal || before.rejections.has(name));
}

/** If nobody can fulfil it, or some addressees are offline, the proposer is told at once, and the proposal stays open (O-32). */
function afterProposing(
  proposal: Proposal,
  envelope: Envelope,
  context: ProposalContext,
): readonly ProposalRecord[] {
  if (asksForCapable(envelope.payload) && proposal.addressees.length === 0)
    return [nobodyCapable(proposal, context.now)];
  const absent = proposal.addressees.filter((name) => !context.isConnected(name));
  if (absent.length === 0) return consequencesFor(proposal, context);
  const told = addresseesAbsent(proposal, context.now, absent);
  return [told, ...consequencesFor(evolveProposal(proposal, told), context)];
}
