import { defined, isJsonArray, type JsonObject, textsIn } from '@proffer/core/json';
import {
  type Assertion,
  operationDigest,
  requestToSign,
  type ShownDecision,
  type ShownVersion,
} from '@proffer/core/operations';
import type { Exchange } from '../connection/exchange.js';
import type { Message, Receipt } from '../connection/message.js';
import { newId } from '../connection/new-id.js';
import { createDeferred } from '../deferred.js';
import { ProposalNotPendingError, RefusedError } from '../errors.js';
import type { PendingProposal } from './pending-proposals.js';
import { type DecisionSigner, decisionIn } from './signing.js';

/** What exactly is approved. */
export interface ApproveOptions {
  /** What to run instead of the proposed params: for the same tool, prompt or resource. */
  readonly params?: JsonObject;
  /** Who runs it. Default: whoever serves the tool (O-26). */
  readonly executor?: string;
  /** Default: a new one. */
  readonly id?: string;
  /** Ties together approvals given in one action (O-35). Default none. */
  readonly batch?: string;
  /** What you were shown of it: if that has changed, it is refused with `changed_since_shown` (O-35). */
  readonly seen?: ShownVersion;
  /** A signature of the decision (O-49). Default: by the `signer` of the connection, if one is demanded. */
  readonly signature?: Assertion;
}

/** The progress after an approval (O-29). */
export type ApprovalResult = {
  /** Whether it was enough: the call runs. */
  readonly isComplete: boolean;
  /** How many approvals there are, out of how many; 1 of 1 if the space has no policy for it. */
  readonly given: number;
  readonly needed: number;
  /** Whose approval is still possible: names and `role:…`. */
  readonly missing: readonly string[];
  /** The approval was enough, and the call runs when these proposals have settled `ok` (O-37). */
  readonly waitsFor?: readonly string[];
  /** Whose part it was given for, if that person delegated it (O-34). */
  readonly onBehalfOf?: string;
};

/**
 * Approves exactly what was shown: the digest is computed here, from the caller's params. Anything
 * that changed on the way is refused with `digest_mismatch`.
 */
export async function approve(
  exchange: Exchange,
  proposal: Pick<PendingProposal, 'id' | 'method' | 'params'>,
  { params, executor, id = newId(), batch, seen, signature }: ApproveOptions = {},
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
        ...defined({ params, executor, batch, seen, signature }),
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

/** Reads the progress after an approval from the delivered message. */
export function readApproval(payload: JsonObject): ApprovalResult {
  const { given, needed, missing, waitsFor, onBehalfOf, alone } = payload;
  const [have = 1, of = 1] = [given, needed].map((count) => (typeof count === 'number' ? count : 1));
  return {
    isComplete: have >= of || alone === true,
    given: have,
    needed: of,
    missing: isJsonArray(missing) ? textsIn(missing) : [],
    ...(isJsonArray(waitsFor) ? { waitsFor: textsIn(waitsFor) } : {}),
    ...(typeof onBehalfOf === 'string' ? { onBehalfOf } : {}),
  };
}

/** What is approved, as far as a signature covers it. */
export function shownIn(
  space: string,
  { id, method, params }: Pick<PendingProposal, 'id' | 'method' | 'params'>,
  options: Pick<ApproveOptions, 'params' | 'executor' | 'seen'>,
): ShownDecision {
  const { executor = options.seen?.executor, seen } = options;
  const definition = executor === seen?.executor ? seen?.definition : undefined;
  const call = operationDigest(method, options.params ?? params);
  return { space, proposal: id, call, executor, definition };
}

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
 * are sent in the order given. Those that have to be signed are signed together. Fails only if the connection has ended,
 * or the signer does.
 */
export async function approveAll(
  exchange: Exchange,
  proposals: readonly PendingProposal[],
  { signer, space }: { readonly signer?: DecisionSigner; readonly space: string },
): Promise<readonly ApprovalOutcome[]> {
  const batch = newId();
  const approveEach = (some: readonly PendingProposal[], signature?: Assertion) =>
    Promise.all(
      some.map((proposal) =>
        outcomeOf(proposal, () =>
          approve(exchange, proposal, { batch, ...defined({ seen: proposal.shown, signature }) }),
        ),
      ),
    );
  const first = await approveEach(proposals);
  if (signer === undefined) return first;
  const asked = proposals.flatMap((proposal, index) => {
    const outcome = first[index];
    if (outcome?.outcome !== 'refused' || !(outcome.error instanceof RefusedError)) return [];
    const decision = decisionIn(outcome.error, shownIn(space, proposal, defined({ seen: proposal.shown })));
    return decision === undefined ? [] : [{ proposal, decision }];
  });
  if (asked.length === 0) return first;
  const decisions = asked.map(({ decision }) => decision);
  const signature = await signer(requestToSign(decisions, Date.now()));
  const second = await approveEach(
    asked.map(({ proposal }) => proposal),
    signature,
  );
  const signed = new Map(second.map((outcome) => [outcome.id, outcome]));
  return first.map((outcome) => signed.get(outcome.id) ?? outcome);
}

async function outcomeOf(
  { id }: PendingProposal,
  attempt: () => Promise<ApprovalResult>,
): Promise<ApprovalOutcome> {
  try {
    return { id, outcome: 'approved', approval: await attempt() };
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'changed_since_shown')
      return { id, outcome: 'changed', changed: textsIn(error.details['changed']), error };
    if (error instanceof RefusedError || error instanceof ProposalNotPendingError)
      return { id, outcome: 'refused', error };
    throw error;
  }
}

/** What an operator can do to stop everything at once. */
export interface Pausing {
  /** Refuses every approval in the space (`approvals_paused`) until someone resumes. */
  readonly pause: (reason?: string) => Promise<Receipt>;
  readonly resume: (reason?: string) => Promise<Receipt>;
}

export function createPausing(exchange: Exchange): Pausing {
  const say = (kind: string, reason?: string): Promise<Receipt> =>
    exchange.send({ kind, payload: defined({ reason }) });
  return {
    pause: (reason) => say('mcpx.pause.approvals', reason),
    resume: (reason) => say('mcpx.resume.approvals', reason),
  };
}
