import { isJsonArray, type JsonObject } from '@proffer/core/json';
import { operationDigest } from '@proffer/core/operations';
import type { Exchange } from '../connection/exchange.js';
import type { Message } from '../connection/message.js';
import { newId } from '../connection/new-id.js';
import { createDeferred } from '../deferred.js';
import { ProposalNotPendingError, RefusedError } from '../errors.js';
import { namesIn, type PendingProposal } from './pending-proposal.js';

/** What exactly is approved. */
export interface ApproveOptions {
  /** What to run instead of what was proposed: the same tool, prompt or resource. */
  readonly params?: JsonObject;
  /** Who shall run it. Default whoever serves the tool (O-26). */
  readonly executor?: string;
  /** Default a new one. */
  readonly id?: string;
}

/** How far an approval leads (O-29). */
export type ApprovalResult = {
  /** Whether it was enough: the call runs. */
  readonly isComplete: boolean;
  /** How many approvals there are, of how many; 1 of 1 where the space has no policy for it. */
  readonly given: number;
  readonly needed: number;
  /** Whose approval could still be given: names and `role:…`. */
  readonly missing: readonly string[];
};

/**
 * Approves exactly what was looked at: the digest is made here, of the params that the caller has. What changed on the
 * way is refused with `digest_mismatch`.
 */
export async function approve(
  exchange: Exchange,
  proposal: Pick<PendingProposal, 'id' | 'method' | 'params'>,
  { params, executor, id = newId() }: ApproveOptions = {},
): Promise<ApprovalResult> {
  const delivered = createDeferred<Message>();
  const stop = exchange.taken.add((message) => {
    if (message.id === id) delivered.settle(message);
  });
  try {
    await exchange.send({
      id,
      kind: 'mcpx.approve.proposal',
      correlationId: proposal.id,
      payload: {
        digest: operationDigest(proposal.method, params ?? proposal.params),
        ...(params === undefined ? {} : { params }),
        ...(executor === undefined ? {} : { executor }),
      },
    });
    return readApproval((await delivered.promise).payload);
  } catch (error) {
    const isLate = error instanceof RefusedError && error.code === 'proposal_not_pending';
    throw isLate ? new ProposalNotPendingError(proposal.id, error.message, error.details) : error;
  } finally {
    stop();
  }
}

/** Reads how far an approval leads, from the message as it was delivered. */
export function readApproval({ given, needed, missing }: JsonObject): ApprovalResult {
  const [have, of] = [given, needed].map((count) => (typeof count === 'number' ? count : 1));
  const left = isJsonArray(missing) ? namesIn(missing) : [];
  return { isComplete: (have ?? 1) >= (of ?? 1), given: have ?? 1, needed: of ?? 1, missing: left };
}
