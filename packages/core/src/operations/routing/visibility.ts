import { beginProposal } from '../proposal/evolve-proposal.js';
import type { Proposal } from '../proposal/proposal.js';
import type { ProposalRecord } from '../records.js';
import { isAmong } from '../review/policy.js';
import type { SpaceSettings } from '../settings.js';
import type { Subscriber } from './delivery.js';

type Visibility = Pick<SpaceSettings, 'visibility'>;

/**
 * Whether a participant may see a proposal and its history: everyone may, unless the space restricts
 * addressed messages to those concerned and observers (O-21, O-43).
 */
export function seesProposal(
  proposal: ConcerningProposal,
  viewer: Pick<Subscriber, 'name' | 'observer' | 'roles'>,
  { visibility }: Visibility,
): boolean {
  if (visibility === 'all' || viewer.observer || proposal.to.length === 0) return true;
  return isAmong(concernedIn(proposal), viewer);
}

type ConcerningProposal = Pick<
  Proposal,
  'proposer' | 'to' | 'addressees' | 'escalatedTo' | 'delegations' | 'fulfilment'
>;

/**
 * The participants concerned with a proposal, by name or as `role:…`: the proposer, those asked, their delegates
 * (O-34), who decided it and who runs it.
 */
export function concernedIn(proposal: ConcerningProposal): readonly string[] {
  const { proposer, to, addressees, escalatedTo, delegations, fulfilment } = proposal;
  const delegates = delegations.map((delegation) => delegation.to);
  const names = [proposer, ...to, ...addressees, ...escalatedTo, ...delegates];
  if (fulfilment !== undefined) names.push(fulfilment.by);
  if (fulfilment?.executor !== undefined) names.push(fulfilment.executor);
  return [...new Set(names)];
}

/**
 * Adds to records about a proposal who sees them: exactly those who see the proposal, whatever `to`
 * says (O-43). Only with restricted visibility; otherwise everyone sees them.
 */
export function markSeenBy(
  records: readonly ProposalRecord[],
  before: Proposal | undefined,
  { visibility }: Visibility,
): readonly ProposalRecord[] {
  if (visibility === 'all') return records;
  const [first] = records;
  const proposal = before ?? (first?.type === 'proposed' ? beginProposal(first) : undefined);
  if (proposal === undefined) return records;
  let seenBy = proposal.to.length === 0 ? [] : concernedIn(proposal);
  return records.map((record) => {
    // Participants who are asked from now on see this, and what follows.
    if (seenBy.length > 0) seenBy = [...new Set([...seenBy, ...escalatedIn(record)])];
    return { ...record, facts: { ...record.facts, seenBy } } as ProposalRecord;
  });
}

function escalatedIn(record: ProposalRecord): readonly string[] {
  if (record.type === 'escalated') return record.facts.to;
  const to = record.type === 'review_delegated' ? record.facts.to : undefined;
  return to === undefined ? [] : [to];
}
