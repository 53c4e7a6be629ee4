import { authorize } from '../../capability/authorize.js';
import type { JsonObject } from '../../json/json.js';
import type { ProposalContext } from '../context.js';
import { requestFor } from '../proposal/may-fulfil.js';
import { type Approval, type Proposal, partyOf, personOf } from '../proposal/proposal.js';
import { rejectsProposal } from '../proposal/rejection.js';
import { isRequester } from '../review/approvers.js';
import { isAmong, type ReviewEntry } from '../review/policy.js';
import { delegationsTo } from '../space/space.js';
import { type Delegation, type Delegator, isInForce } from './delegation.js';

/**
 * Where to look for a part: the entry, whose approval counts, what would run, and what was approved
 * of it so far.
 */
export interface DelegationLookup {
  readonly entry: ReviewEntry;
  readonly approvers: readonly string[];
  readonly params: JsonObject | undefined;
  readonly earlier: readonly Approval[];
}

/**
 * Whose part someone has without one of their own (O-34): that of an approver who delegated it, for
 * this proposal or for all. Not the proposer's, nor that of someone who rejected, nor one that was
 * itself delegated. An unused part comes first.
 */
export function delegatorFor(
  proposal: Proposal,
  to: string,
  wanted: DelegationLookup,
  context: ProposalContext,
): Delegator | undefined {
  const delegations = [...proposal.delegations, ...delegationsTo(context.space, to)];
  const parts = delegations
    .filter((each) => each.to === to && isInForce(each, context.now) && !isRemoved(each, context))
    .map((each) => asOfNow(each, context))
    .filter((part) => hasPart(proposal, part, wanted, context));
  const isFree = (part: Delegator): boolean =>
    !wanted.earlier.some((approval) => partyOf(approval) === personOf(part));
  return parts.find(isFree) ?? parts[0];
}

/** Whether the operator has removed the delegator. Unknown for one who signs in elsewhere. */
function isRemoved({ by, configured }: Delegation, { rightsOf }: ProposalContext): boolean {
  return configured === true && rightsOf?.(by) === undefined;
}

/** With the approver's current roles, if known; else with those it had when it delegated. */
function asOfNow({ by, subject, roles: recorded }: Delegation, { rightsOf }: ProposalContext): Delegator {
  const rights = rightsOf?.(by);
  const roles = rights === undefined ? recorded : rights.roles;
  return {
    by,
    ...(subject === undefined ? {} : { subject }),
    ...(roles === undefined ? {} : { roles }),
  };
}

function hasPart(
  proposal: Proposal,
  part: Delegator,
  { entry, approvers, params }: DelegationLookup,
  { rightsOf }: ProposalContext,
): boolean {
  const { by: name, roles } = part;
  if (!isAmong(approvers, { name, roles })) return false;
  const { subject = proposal.proposer } = proposal.requester ?? {};
  if (name === proposal.proposer || personOf(part) === subject) return false;
  if (entry.notRequester === true && isRequester(proposal, part)) return false;
  const rejection = proposal.rejections.get(name);
  if (rejection !== undefined && rejectsProposal(rejection)) return false;
  const rights = rightsOf?.(name);
  const request = requestFor({ method: proposal.method, params }, name);
  return rights === undefined || authorize(rights.capabilities, request) === undefined;
}
