import { ConnectionClosedError, ProposalNotPendingError, RefusedError } from '@proffer/client';
import { defined, type JsonObject } from '@proffer/core/json';
import {
  ASKED_OTHER,
  type Assertion,
  decisionAsked,
  operationDigest,
  type Proposal,
  type SignedDecision,
} from '@proffer/core/operations';
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
  /** The digest of what the executor announced about the tool, as shown. */
  readonly definition?: string | undefined;
}

/**
 * Approves a proposal by sending the request for it, with exactly what was shown. It counts as sent until its
 * record comes back, and as durable from then on.
 */
export async function approve(space: Space, proposal: Proposal, approval: ApprovalDetails): Promise<void> {
  const asked = await attempt(space, proposal, approval);
  if (asked === undefined) return;
  const [signature, problem] = await sign(space, [asked]);
  if (signature === undefined) noteRefused(proposal, approval, problem);
  else await attempt(space, proposal, approval, signature);
}

/** Whether an approval of a call has to be signed with a passkey (O-49). */
export function isSigned({ participant: { welcome } }: Space, { review }: Proposal): boolean {
  return welcome.signed === true || review?.signed === true;
}

/** Asks for the passkey. What it needs is loaded only then. */
export async function sign(
  space: Space,
  decisions: readonly SignedDecision[],
): Promise<readonly [signature: Assertion | undefined, problem: string]> {
  try {
    const { signWithPasskey } = await import('../passkeys/passkeys.js');
    return [await signWithPasskey(space, decisions), ''];
  } catch (error) {
    return [undefined, wordsOf(error)];
  }
}

/** Notes why an approval was not sent. */
export function noteRefused({ id }: Proposal, { digest }: ApprovalDetails, problem: string): void {
  note(id, { what: 'approve', digest, message: '', state: 'refused', problem });
}

/** Sends an approval. Returns what has to be signed first, if that is demanded. */
export async function attempt(
  space: Space,
  proposal: Proposal,
  { params, digest, executor, insteadOf, definition }: ApprovalDetails,
  signature?: Assertion,
): Promise<SignedDecision | undefined> {
  const message = crypto.randomUUID();
  const decision = { what: 'approve', digest, message } as const;
  // Sends what was shown, or nothing.
  if (operationDigest(proposal.method, params) !== digest) {
    const problem = 'What would be sent differs from what was shown. Nothing was sent.';
    note(proposal.id, { ...decision, state: 'refused', problem });
    return undefined;
  }
  note(proposal.id, { ...decision, state: 'sent' });
  try {
    const options = {
      id: message,
      ...defined({ to: executor, signature }),
      ...(insteadOf === undefined ? {} : { seen: { insteadOf } }),
    };
    const { id, method } = proposal;
    await space.participant.fulfil({ id, method }, params, options);
    note(proposal.id, { ...decision, state: 'durable' });
  } catch (error) {
    const shown = { space: space.name, proposal: proposal.id, call: digest, executor, definition };
    const asked = error instanceof RefusedError ? decisionAsked(error, shown) : undefined;
    if (asked !== undefined && asked !== 'changed') return asked;
    const why =
      asked === undefined
        ? failure(error, space.proposals.get(proposal.id), message)
        : { state: 'refused' as const, problem: ASKED_OTHER };
    note(proposal.id, { ...decision, ...why });
  }
  return undefined;
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
