import type { JsonObject } from '../../json/json.js';
import type { DecisionContext, ExecutorContext } from '../context.js';
import type { Delegation } from '../delegation/delegation.js';
import { demandsSignature } from '../keys/check-signed.js';
import { definitionOf } from '../participant.js';
import { approversOf, askedBy, reviewOf } from '../review/approvers.js';
import { countedFor, missingFrom, namesOf } from '../review/count-approval.js';
import { isAmong } from '../review/policy.js';
import { approvalProgress } from '../review/progress.js';
import { definitionDigest } from '../review/shown-version.js';
import { chooseExecutor } from '../routing/executor.js';
import { listedBy, predecessorOf, servedBy } from '../space/servers.js';
import { delegationsTo, type SpaceState } from '../space/space.js';
import { type Approval, fixedExecutor, type Proposal } from './proposal.js';
import { type ProspectiveExecutor, viewProposal } from './proposal-view.js';

/** What else is needed to find out who would run a proposal. */
export type PresenceLookup = Pick<DecisionContext, 'isPresent' | 'isConnected' | 'rightsOf'>;

/**
 * A proposal as JSON; while it is pending, with `wouldRun`: who would run it if it were approved now
 * (O-26), `progress`: how many approvals it has, out of how many, and whose are missing (O-28), and `signed` if each has
 * to be signed (O-49).
 */
export function viewPending(space: SpaceState, proposal: Proposal, presence: PresenceLookup): JsonObject {
  if (proposal.phase !== 'pending') return viewProposal(proposal);
  const wouldRun = prospectiveExecutor(space, proposal, presence);
  const current = underCurrentPolicy(space, proposal);
  const isSigned = demandsSignature(reviewOf(proposal, space.settings), space.settings);
  const progress = approvalProgress(current);
  const delegations = [...proposal.delegations, ...delegationsOfApprovers(space, current)];
  return {
    ...viewProposal({ ...current, delegations }),
    ...(wouldRun === undefined ? {} : { wouldRun }),
    ...(progress === undefined ? {} : { progress }),
    ...(isSigned ? { signed: true } : {}),
  };
}

/** The delegations of all reviews by people whose approval counts (O-34): their delegates may decide, too. */
function delegationsOfApprovers(
  space: SpaceState,
  { review, escalatedTo, delegations }: Proposal,
): readonly Delegation[] {
  if (review === undefined) return [];
  const asked = [...review.from, ...escalatedTo];
  return [...space.delegators.keys()]
    .flatMap((to) => delegationsTo(space, to))
    .filter((each) => isAmong(asked, { name: each.by, roles: each.roles }))
    .filter((each) => !delegations.some(({ by }) => by === each.by));
}

/** Who would run a proposal; `undefined` if no one could. */
function prospectiveExecutor(
  space: SpaceState,
  proposal: Proposal,
  { isPresent, isConnected = isPresent, rightsOf }: PresenceLookup,
): ProspectiveExecutor | undefined {
  const serving: ExecutorContext = { space, isPresent, isConnected, rightsOf };
  const { executor = fixedExecutor(proposal, proposal.digest) } = proposal;
  const choice = chooseExecutor({ ...proposal, executor }, [], serving);
  const isAbsent = choice.refused?.code === 'executor_absent';
  const name = isAbsent
    ? choice.refused.details['executor']
    : 'executor' in choice
      ? choice.executor
      : undefined;
  if (typeof name !== 'string') return undefined;
  const insteadOf = 'executor' in choice ? choice.insteadOf : undefined;
  const { subject } = proposal;
  const definition = subject && definitionDigest(definitionOf(space.participants.get(name), subject));
  return {
    name,
    isConnected: !isAbsent,
    isProposer: name === proposal.proposer,
    ...(insteadOf === undefined ? {} : { insteadOf }),
    ...newcomersIn(space, proposal, isConnected),
    ...(definition === undefined ? {} : { definition }),
  };
}

/** Connected participants that serve the tool of a proposal, and would run it for the first time. */
function newcomersIn(
  space: SpaceState,
  { subject, proposer }: Proposal,
  isConnected: (name: string) => boolean,
): Pick<ProspectiveExecutor, 'newcomers'> {
  if (subject === undefined) return {};
  const newcomers = [...servedBy(space, subject), ...listedBy(space, subject)].flatMap((name) => {
    const insteadOf = name === proposer ? undefined : predecessorOf(space, subject, name);
    return insteadOf === undefined || !isConnected(name) ? [] : [[name, insteadOf] as const];
  });
  return newcomers.length === 0 ? {} : { newcomers: Object.fromEntries(newcomers) };
}

/**
 * A pending proposal with what the policy requires now (O-28): the records say what it required when something was
 * proposed or approved, and the operator may have changed it since. Counted for the params that were approved last.
 */
export function underCurrentPolicy(space: SpaceState, proposal: Proposal): Proposal {
  const { settings } = space;
  const last = proposal.approvals.at(-1);
  const { digest = proposal.digest, params = proposal.params } = last ?? {};
  const entry = reviewOf(proposal, settings, params);
  if (entry === undefined) {
    const approvals = proposal.approvals.map(withoutCount);
    return { ...proposal, review: undefined, approvals };
  }
  const asked = approversOf(proposal, entry, settings);
  const counted = countedFor(proposal, digest, { entry, approvers: asked, space });
  const missing = missingFrom(asked, counted.flatMap(namesOf));
  // One that counts no longer is not shown as an approval.
  const approvals = proposal.approvals
    .filter((each) => each.digest !== digest || counted.includes(each))
    .map((each) => (each.digest === digest ? recounted(each, entry.approvals, missing) : each));
  const review = askedBy(entry, settings);
  return { ...proposal, review, approvals };
}

function recounted(approval: Approval, needed: number, missing: readonly string[]): Approval {
  return { ...approval, needed, missing };
}

function withoutCount({ given: _given, needed: _needed, missing: _missing, ...rest }: Approval): Approval {
  return rest;
}
