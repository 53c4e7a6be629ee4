import { defined, textsIn } from '@proffer/core/json';
import type { Exchange } from '../connection/exchange.js';
import { newId } from '../connection/new-id.js';
import { ProposalNotPendingError, RefusedError } from '../errors.js';
import { type ApprovalResult, approve } from './approvals.js';
import { type PendingProposal } from './pending-proposal.js';

/** The outcome of one of several approvals (O-35). */
export type ApprovalOutcome =
  /** The approval counts; whether it was enough is in `approval`. */
  | { readonly id: string; readonly outcome: 'approved'; readonly approval: ApprovalResult }
  /**
   * The proposal has changed since it was shown, and was skipped: someone objected, or its executor or arguments
   * changed.
   */
  | {
      readonly id: string;
      readonly outcome: 'changed';
      /** `objection`, `executor`, `definition`. */
      readonly changed: readonly string[];
      readonly error: RefusedError;
    }
  /** The approval does not count: the proposal has ended, or you may not approve it. */
  | {
      readonly id: string;
      readonly outcome: 'refused';
      readonly error: RefusedError | ProposalNotPendingError;
    };

/**
 * Approves each of several proposals as it was shown, with one outcome per item; all of them have one batch id. They
 * are sent in the order given. Fails only if the connection has ended.
 */
export async function approveAll(
  exchange: Exchange,
  proposals: readonly PendingProposal[],
): Promise<readonly ApprovalOutcome[]> {
  const batch = newId();
  return await Promise.all(
    proposals.map(async (proposal): Promise<ApprovalOutcome> => {
      const { id, shown } = proposal;
      try {
        const options = { batch, ...defined({ seen: shown }) };
        return { id, outcome: 'approved', approval: await approve(exchange, proposal, options) };
      } catch (error) {
        if (error instanceof RefusedError && error.code === 'changed_since_shown')
          return { id, outcome: 'changed', changed: textsIn(error.details['changed']), error };
        if (error instanceof RefusedError || error instanceof ProposalNotPendingError)
          return { id, outcome: 'refused', error };
        throw error;
      }
    }),
  );
}
