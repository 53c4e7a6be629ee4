import { CommandFailure, type Failure } from '../command-failure.js';
import type { GatewayConnection } from '../connection/connection.js';
import { findProposal } from './find-proposal.js';
import { type ProposalView, reasonIn } from './proposal-view.js';

/** A proposal that was typed, or why there is none. */
export type Typed =
  | {
      readonly id: string;
      readonly proposal: ProposalView;
      /** Why its proposer asks; empty if it does not say. */
      readonly reason: string;
      readonly failure?: never;
    }
  | { readonly id: string; readonly failure: Failure; readonly proposal?: never };

/**
 * The proposals that several ids or prefixes mean, each one once. A wrong one does not stop the others: each has its own
 * outcome (O-35). Throws what is not about one of them.
 */
export async function findEach(
  texts: readonly string[],
  connection: GatewayConnection,
  exact: boolean | undefined,
): Promise<readonly Typed[]> {
  const found = await Promise.all(
    texts.map(async (text): Promise<Typed> => {
      try {
        const { proposal, history } = await findProposal(connection, text, { pending: true, exact });
        return { id: proposal.id, proposal, reason: reasonIn(history) };
      } catch (error) {
        if (!(error instanceof CommandFailure) || !ABOUT_ONE.has(error.failure.code)) throw error;
        return { id: text, failure: error.failure };
      }
    }),
  );
  return [...new Map(found.map((one) => [one.id, one])).values()];
}

/** The failures to find a proposal; any other, such as no connection, is one of all of them. */
const ABOUT_ONE: ReadonlySet<string> = new Set(['unknown_proposal', 'late', 'usage']);
