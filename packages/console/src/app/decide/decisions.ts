import { ConnectionClosedError, ProposalNotPendingError, RefusedError } from '@proffer/client';
import { defined, type JsonObject } from '@proffer/core/json';
import { operationDigest, type Proposal } from '@proffer/core/operations';
import type { Space } from '../space/space.js';
import { createStore, type Store } from '../state/store.js';

/** A decision made here, for exactly the digest that was shown. */
export interface SentDecision {
  readonly what: 'approve' | 'reject';
  readonly digest: string;
  /** The id of the message, to recognise its record. */
  readonly message: string;
  readonly state: 'sent' | 'durable' | 'refused' | 'too late';
  /** Why it was refused. */
  readonly problem?: string;
}

/** The decisions made in this tab, by proposal. */
export const decisions: Store<ReadonlyMap<string, SentDecision>> = createStore<
  ReadonlyMap<string, SentDecision>
>(new Map());

function note(proposal: string, decision: SentDecision): void {
  decisions.set(new Map([...decisions.get(), [proposal, decision]]));
}

export interface ApprovalDetails {
  /** The params to run: as proposed, or as edited by the reviewer. */
  readonly params: JsonObject | undefined;
  /** Their digest, as shown. */
  readonly digest: string;
  /** The executor, as shown. */
  readonly executor?: string | undefined;
  /** Who served the tool before it, if it would run it for the first time: as shown. */
  readonly insteadOf?: string | undefined;
}

/**
 * Approves a proposal by sending the request for it, with exactly what was shown. It counts as sent until its
 * record comes back, and as durable from then on.
 */
export async function approve(space: Space, proposal: Proposal, approval: ApprovalDetails): Promise<void> {
  const { params, digest, executor, insteadOf } = approval;
  const message = crypto.randomUUID();
  const decision = { what: 'approve', digest, message } as const;
  // Sends what was shown, or nothing.
  if (operationDigest(proposal.method, params) !== digest) {
    const problem = 'What would be sent differs from what was shown. Nothing was sent.';
    return note(proposal.id, { ...decision, state: 'refused', problem });
  }
  note(proposal.id, { ...decision, state: 'sent' });
  try {
    const options = {
      id: message,
      ...defined({ to: executor }),
      ...(insteadOf === undefined ? {} : { seen: { insteadOf } }),
    };
    const { id, method } = proposal;
    await space.participant.fulfil({ id, method }, params, options);
    note(proposal.id, { ...decision, state: 'durable' });
  } catch (error) {
    note(proposal.id, { ...decision, ...failure(error, space.proposals.get(proposal.id), message) });
  }
}

/** Rejects a proposal with a reason and an optional message. */
export async function reject(
  space: Space,
  proposal: Proposal,
  { reason, said }: { readonly reason: string; readonly said?: string },
): Promise<void> {
  const decision = { what: 'reject', digest: proposal.digest, message: '' } as const;
  note(proposal.id, { ...decision, state: 'sent' });
  try {
    const receipt = await space.participant.reject(proposal.id, reason, said);
    note(proposal.id, { ...decision, state: receipt.status === 'late' ? 'too late' : 'durable' });
  } catch (error) {
    note(proposal.id, { ...decision, state: 'refused', problem: wordsOf(error) });
  }
}

/** Forgets a failed decision, to make another one. */
export function tryAgain(proposal: string): void {
  const others = [...decisions.get()].filter(([id]) => id !== proposal);
  decisions.set(new Map(others));
}

/** Forgets all decisions: ids mean other proposals in another space. */
export function forgetDecisions(): void {
  decisions.set(new Map());
}

/** The state of an approval without a result: it may still have been recorded. */
function failure(
  error: unknown,
  proposal: Proposal | undefined,
  message: string,
): Pick<SentDecision, 'state' | 'problem'> {
  if (proposal?.fulfilment?.request === message) return { state: 'durable' };
  if (error instanceof ProposalNotPendingError) return { state: 'too late' };
  if (error instanceof RefusedError) return { state: 'refused', problem: error.message };
  if (error instanceof ConnectionClosedError)
    return {
      state: 'sent',
      problem:
        'The connection was lost before the gateway confirmed your decision. It may or may not have been recorded. Sign in again and check.',
    };
  return { state: 'durable' };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
