import type { JsonObject } from '../../json/json.js';
import type { Serving, Surroundings } from '../context.js';
import { definitionOf } from '../participant.js';
import { approvalProgress } from '../review/progress.js';
import { definitionDigest } from '../review/seen.js';
import { chooseExecutor } from '../routing/executor.js';
import type { SpaceState } from '../space/space.js';
import { listedBy, predecessorOf, servedBy } from '../space/who-serves.js';
import { fixedExecutor, type Proposal } from './proposal.js';
import { type ProspectiveExecutor, viewProposal } from './proposal-view.js';

/** What else is needed to find out who would run a proposal. */
export type Presence = Pick<Surroundings, 'isPresent' | 'isConnected' | 'standingOf'>;

/**
 * A proposal as JSON; while it is pending, with `wouldRun`: who would run it if it were approved now
 * (O-26), and `progress`: how many approvals it has, out of how many, and whose are missing (O-28).
 */
export function viewPending(space: SpaceState, proposal: Proposal, presence: Presence): JsonObject {
  const view = viewProposal(proposal);
  if (proposal.phase !== 'pending') return view;
  const wouldRun = prospectiveExecutor(space, proposal, presence);
  const progress = approvalProgress(proposal);
  return {
    ...view,
    ...(wouldRun === undefined ? {} : { wouldRun }),
    ...(progress === undefined ? {} : { progress }),
  };
}

/** Who would run a proposal; `undefined` if no one could. */
function prospectiveExecutor(
  space: SpaceState,
  proposal: Proposal,
  { isPresent, isConnected = isPresent, standingOf }: Presence,
): ProspectiveExecutor | undefined {
  const serving: Serving = { space, isPresent, isConnected, standingOf };
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
