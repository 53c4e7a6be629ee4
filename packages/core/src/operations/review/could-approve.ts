import { authorizeToSome } from '../../capability/authorize.js';
import type { ProposalContext } from '../context.js';
import { delegatorFor } from '../delegation/delegated-approval.js';
import type { Delegator } from '../delegation/delegation.js';
import { checkMayFulfil, checkOpen, requestFor } from '../proposal/may-fulfil.js';
import type { Proposal } from '../proposal/proposal.js';
import { approversOf, reviewOf } from './approvers.js';
import { isNamed } from './policy.js';

/**
 * Whether the sender of a rejection could approve the proposal instead: it may, and it has the
 * capability for the request; with whose part, if it was delegated (O-34). Under a policy a
 * reservation does not matter: the proposer makes it, and would choose who may veto (O-31).
 */
export function couldApprove(
  proposal: Proposal,
  who: string,
  context: ProposalContext,
): false | { readonly onBehalfOf?: Delegator } {
  const { sender } = context;
  const { settings } = context;
  const entry = reviewOf(proposal, settings);
  const check = entry === undefined ? checkMayFulfil : checkOpen;
  if (sender === undefined || check(proposal, who, context) !== undefined) return false;
  const approvers = entry === undefined ? [] : approversOf(proposal, entry, settings);
  const isApprover = isNamed(approvers, { name: who, roles: sender.roles, isInvited: sender.isInvited });
  const { params } = proposal;
  const onBehalfOf =
    isApprover || entry === undefined
      ? undefined
      : delegatorFor(proposal, who, { entry, approvers, params, earlier: [] }, context);
  if (!isApprover && onBehalfOf === undefined) return false;
  if (authorizeToSome(sender.capabilities, requestFor(proposal, who)) !== undefined) return false;
  return onBehalfOf === undefined ? {} : { onBehalfOf };
}
