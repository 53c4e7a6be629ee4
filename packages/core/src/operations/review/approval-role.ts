import { quote } from '../../json/describe.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ProposalContext } from '../context.js';
import { type DelegationLookup, delegatorFor } from '../delegation/delegated-approval.js';
import type { Delegator } from '../delegation/delegation.js';
import type { Proposal } from '../proposal/proposal.js';
import { checkAlone, isAgent } from './agents.js';
import { checkRequester } from './approvers.js';
import { isNamed } from './policy.js';

/**
 * In which capacity someone approves: in their own right, for an approver who delegated (O-34), or alone, as an agent
 * within its limits (O-28).
 */
export type ApprovalRole = { readonly onBehalfOf?: Delegator; readonly alone?: true };

const OWN_RIGHT: ApprovalRole = {};

/** In which capacity someone approves a call under an entry, or why the approval does not count. */
export function approvalRoleOf(
  proposal: Proposal,
  by: string,
  wanted: DelegationLookup,
  context: ProposalContext,
): ApprovalRole | { readonly refused: Refusal } {
  const { entry, approvers, params } = wanted;
  const { sender } = context;
  const excluded = checkRequester(proposal, entry, { by, subject: sender?.subject });
  if (excluded !== undefined) return { refused: excluded };
  const person = { name: by, roles: sender?.roles, isInvited: sender?.isInvited };
  const isNamedAgent = isAgent(entry, person);
  const limit = isNamedAgent ? checkAlone(proposal, { entry, name: by, params }, context) : undefined;
  if (isNamedAgent && limit === undefined) return { alone: true };
  // Beyond its limits an agent is one of several, if the policy names it, and never enough on its
  // own.
  if (isNamed(approvers, person) && (limit === undefined || entry.approvals > 1)) return OWN_RIGHT;
  if (limit !== undefined) return { refused: limit };
  const onBehalfOf = delegatorFor(proposal, by, wanted, context);
  if (onBehalfOf !== undefined) return { onBehalfOf };
  const sentence =
    sender?.isInvited === true
      ? `${quote(by)} was invited, so its approval of ${quote(proposal.id)} does not count under a review policy.`
      : `${quote(proposal.id)} needs the approval of ${approvers.map(quote).join(', ')}.`;
  return {
    refused: refuse('not_approver', sentence, { proposal: proposal.id, entry: entry.name, from: approvers }),
  };
}
