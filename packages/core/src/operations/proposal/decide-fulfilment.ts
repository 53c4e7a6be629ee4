import type { Decision } from '../../decision.js';
import type { Envelope } from '../../envelope/envelope.js';
import type { ProposalContext } from '../context.js';
import type { ProposalRecord } from '../records.js';
import { decideApproval } from '../review/decide-approval.js';
import { refuseUnknownProposal } from './decide-remark.js';
import type { Proposal } from './proposal.js';

/**
 * A request that fulfils a proposal (O-11). The first one wins (O-12); the proposer needs the space's
 * permission (O-24); while the proposal is reserved only the preferred may (O-20); changed params are
 * recorded next to the proposed ones (O-13, O-25). Capabilities were checked before, for this very
 * request, so an amended call needs the capability for what it has become.
 */
export function decideFulfilment(
  proposal: Proposal | undefined,
  envelope: Envelope,
  context: ProposalContext,
): Decision<ProposalRecord> {
  if (proposal === undefined) return { refused: refuseUnknownProposal(envelope) };
  return decideApproval(proposal, { envelope, request: envelope }, context);
}
