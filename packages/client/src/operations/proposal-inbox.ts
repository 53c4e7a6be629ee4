import { defined, type JsonObject, type JsonValue } from '@proffer/core/json';
import type { Exchange } from '../connection/exchange.js';
import type { Message, Receipt } from '../connection/message.js';
import { isOutcome } from '../errors.js';
import type { CallOptions, OwnRequests } from './calls.js';
import {
  isAddressedTo,
  isGranted,
  type PendingProposal,
  type PendingProposals,
  proposalInMessage,
} from './pending-proposals.js';
import { RecentIdSet } from './recent-ids.js';
import type { ProposalStatus, RejectionReason, Remarks } from './remarks.js';

/** Another participant's proposal, and what can be done about it. */
export interface IncomingProposal extends PendingProposal {
  /** Whether it names us, in `to` or in its targeting. */
  readonly isAddressedToUs: boolean;
  /**
   * Makes the request that fulfils it (O-11); settles with the result. Fails with a
   * ProposalNotPendingError if someone else was first, an OperationFailedError if it ran and failed, an
   * OutcomeUnknownError if the outcome is unknown, a RefusedError for every other refusal.
   *
   * @param amendedParams - what to run instead of what was proposed; the same tool, prompt or resource
   */
  readonly fulfil: (amendedParams?: JsonObject, options?: CallOptions) => Promise<JsonValue>;
  /** Settles with `late` if it is no longer pending (O-16). */
  readonly reject: (reason: RejectionReason, message?: string) => Promise<Receipt>;
  /** Settles with `late` if it is no longer pending (O-16). */
  readonly status: (status: ProposalStatus, message?: string) => Promise<Receipt>;
}

/** Another participant's proposal to call a tool. */
export interface IncomingToolCall extends IncomingProposal {
  readonly params: { readonly name: string; readonly arguments: JsonObject };
}

export type ProposalHandler<Proposal = IncomingProposal> = (proposal: Proposal) => unknown;

export interface OnProposalOptions {
  /** Which proposals the handler is for. Default: all. */
  readonly filter?: (proposal: PendingProposal) => boolean;
  /** Only calls of this tool; their params are then known to be present. Default: any proposal. */
  readonly tool?: string;
}

export interface ProposalInboxOptions {
  readonly calls: OwnRequests;
  readonly remarks: Remarks;
  readonly pending: PendingProposals;
  /** Whether a proposal that names us and has no handler is rejected at once. */
  readonly quickReject: boolean;
  readonly onFault: (error: unknown) => void;
}

interface Registered extends OnProposalOptions {
  readonly handler: ProposalHandler;
}

/** Passes each proposal of others to the first matching handler, once. */
export class ProposalInbox {
  readonly #exchange: Exchange;
  readonly #options: ProposalInboxOptions;
  readonly #handlers = new Set<Registered>();
  readonly #handled = new RecentIdSet();
  #answersForUs = false;

  constructor(exchange: Exchange, options: ProposalInboxOptions) {
    this.#exchange = exchange;
    this.#options = options;
    exchange.messages.add((message) => this.#take(message));
    exchange.welcomes.add(() => this.#offerPending());
  }

  /**
   * Adds a handler; it also gets proposals that are already pending. Returns a function that removes
   * it.
   */
  add(handler: ProposalHandler, options: OnProposalOptions = {}): () => void {
    const registered = { handler: options.tool === undefined ? handler : forTool(handler), ...options };
    this.#handlers.add(registered);
    this.#answersForUs = true;
    // Deferred, so that handlers that are added together are all there.
    queueMicrotask(() => this.#offerPending());
    return () => this.#handlers.delete(registered);
  }

  /** From now on handlers here answer for this participant: proposals without a handler are rejected. */
  answerForUs(): void {
    this.#answersForUs = true;
  }

  /** Earlier pending proposals are passed to handlers, and never rejected automatically. */
  #offerPending(): void {
    if (this.#handlers.size === 0 || this.#exchange.isOver) return;
    for (const proposal of this.#options.pending.list()) this.#offer(proposal);
  }

  #take(message: Message): void {
    if (!this.#answersForUs || !message.kind.startsWith('mcp.proposal.') || isGranted(message)) return;
    const { seq = 0 } = message;
    // Missed history may contain proposals that are long over.
    if (!this.#options.pending.mayBePending(message.id, seq)) return;
    const proposal = proposalInMessage(message);
    if (this.#offer(proposal) || !this.#options.quickReject) return;
    const isForUs = isAddressedTo(proposal, this.#me) && proposal.proposer !== this.#me;
    if (isForUs && this.#handled.add(proposal.id)) this.#rejectQuietly(proposal.id, 'incapable');
  }

  get #me(): string {
    return this.#exchange.welcome.you.id;
  }

  /** True if a handler matches, whether it gets the proposal now or got it before. */
  #offer(proposal: PendingProposal): boolean {
    if (proposal.proposer === this.#me) return true;
    for (const { handler, filter, tool } of this.#handlers) {
      if (tool !== undefined && toolOf(proposal) !== tool) continue;
      if (filter !== undefined && !this.#fits(filter, proposal)) continue;
      if (this.#handled.add(proposal.id)) void this.#handle(handler, proposal);
      return true;
    }
    return false;
  }

  #fits(filter: (proposal: PendingProposal) => boolean, proposal: PendingProposal): boolean {
    try {
      return filter(proposal);
    } catch (error) {
      this.#options.onFault(error);
      return false;
    }
  }

  async #handle(handler: ProposalHandler, proposal: PendingProposal): Promise<void> {
    const incoming = this.#incoming(proposal);
    try {
      await handler(incoming);
    } catch (error) {
      // The proposer should not wait for a handler that failed. It need not know why.
      if (incoming.isAddressedToUs && !isOutcome(error)) this.#rejectQuietly(proposal.id, 'other');
      if (!this.#exchange.isOver) this.#options.onFault(error);
    }
  }

  #incoming(proposal: PendingProposal): IncomingProposal {
    const { calls, remarks } = this.#options;
    const { id, method, params } = proposal;
    return {
      ...proposal,
      isAddressedToUs: isAddressedTo(proposal, this.#me),
      fulfil: (amended = params, options = {}) =>
        calls.request(method, amended, { ...options, proposal: id }),
      reject: (reason, message) => remarks.reject(id, reason, message),
      status: (status, message) => remarks.status(id, status, defined({ message })),
    };
  }

  /** A courtesy: without the capability to reject, nothing is sent. */
  #rejectQuietly(id: string, reason: RejectionReason): void {
    this.#options.remarks.reject(id, reason).catch(() => {});
  }
}

function toolOf({ method, params }: PendingProposal): string | undefined {
  return method === 'tools/call' && typeof params?.['name'] === 'string' ? params['name'] : undefined;
}

/** Fills in empty arguments if the call has none. */
function forTool(handler: ProposalHandler): ProposalHandler {
  return (proposal) => {
    const { params = {} } = proposal;
    return handler({ ...proposal, params: { ...params, arguments: params['arguments'] ?? {} } });
  };
}
