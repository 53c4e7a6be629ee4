import { correlationIds } from '@proffer/core';
import { defined, type JsonObject, type JsonValue } from '@proffer/core/json';
import type { Exchange } from '../connection/exchange.js';
import type { Message } from '../connection/message.js';
import { newId } from '../connection/new-id.js';
import { createDeferred } from '../deferred.js';
import { ProposalRejectedError, ProposalWithdrawnError, RefusedError } from '../errors.js';
import { createListeners, type Listeners } from '../listeners.js';
import { accept, type CounterOffer, proposalCountered } from './counters.js';
import { OwnProposal, type ProposalUpdate } from './own-proposal.js';
import {
  type ProposalHandle,
  type ProposalPromise,
  type ProposeOptions,
  proposalPayload,
} from './propose.js';
import type { Remarks } from './remarks.js';

type Outcome = { readonly result: JsonValue } | { readonly failed: unknown };

interface Open {
  readonly proposal: OwnProposal;
  readonly updates: Listeners<ProposalUpdate>;
  readonly end: (outcome: Outcome) => void;
  /** The error to fail with once the withdrawal is certain. */
  givingUp?: () => Error;
}

export interface ProposalsOptions {
  readonly remarks: Remarks;
  /** Reads the history of a proposal. */
  readonly history: (proposal: string) => Promise<readonly Message[]>;
  readonly onFault: (error: unknown) => void;
}

/** Proposals of our own, until they end. */
export class OwnProposals {
  readonly #exchange: Exchange;
  readonly #options: ProposalsOptions;
  readonly #open = new Map<string, Open>();
  /** Maps the request that fulfilled a proposal to the proposal. */
  readonly #running = new Map<string, Open>();

  constructor(exchange: Exchange, options: ProposalsOptions) {
    this.#exchange = exchange;
    this.#options = options;
    // At once, and not when the sender's promise settles: what became of it may be in the same read from the socket.
    exchange.taken.add(({ id, seq = 0 }) => this.#open.get(id)?.updates.tell({ type: 'accepted', seq }));
    exchange.messages.add((message) => this.#take(message));
    exchange.endings.add((failed) => {
      for (const { end } of this.#open.values()) end({ failed });
    });
  }

  propose(method: string, params: JsonObject | undefined, options: ProposeOptions = {}): ProposalPromise {
    const { signal, id = newId() } = options;
    const to = typeof options.to === 'string' ? [options.to] : (options.to ?? []);
    const { open, result } = this.#begin(id, method, params, options);
    let accepted: Promise<number>;
    if (signal?.aborted === true) {
      accepted = Promise.reject(signal.reason);
      open.end({ failed: signal.reason });
    } else {
      const payload = proposalPayload(method, params, options);
      accepted = this.#send(open, {
        id,
        kind: `mcp.proposal.${method}`,
        ...(to.length === 0 ? {} : { to }),
        payload,
      });
      const onAbort = (): void => this.#abort(open, signal?.reason);
      signal?.addEventListener('abort', onAbort);
      result.catch(() => {}).finally(() => signal?.removeEventListener('abort', onAbort));
    }
    // Callers that only use the updates need not handle the promises.
    accepted.catch(() => {});
    result.catch(() => {});
    const { remarks } = this.#options;
    return withView(result, open, accepted, {
      withdraw: (reason) => remarks.withdraw(id, reason),
      renew: (ttl) => remarks.renew(id, ttl),
      accept: (offer) => accept(this.#exchange, offer),
    });
  }

  #begin(
    id: string,
    method: string,
    params: JsonObject | undefined,
    options: ProposeOptions,
  ): { readonly open: Open; readonly result: Promise<JsonValue> } {
    const updates = createListeners<ProposalUpdate>(this.#options.onFault);
    const proposal = new OwnProposal({
      id,
      method,
      ...defined({ params }),
      onRejection: options.onRejection ?? 'withdraw',
      tell: (update) => {
        if (update.type === 'fulfilled') this.#running.set(update.request, open);
        if (update.type === 'countered') void this.#consider(update, options);
        updates.tell(update);
      },
      giveUp: () => this.#giveUp(open, () => proposal.rejected(), 'declined'),
      end: (outcome) => open.end(outcome),
    });
    const { promise: result, settle, fail } = createDeferred<JsonValue>();
    const open: Open = {
      proposal,
      updates,
      end: (outcome) => {
        this.#open.delete(id);
        if (proposal.fulfilment !== undefined) this.#running.delete(proposal.fulfilment.request);
        if ('result' in outcome) settle(outcome.result);
        else fail(reasonFor(open, outcome.failed));
      },
    };
    this.#open.set(id, open);
    return { open, result };
  }

  /** Asks what to do with a counter-offer; if that fails, it stays open. */
  async #consider(offer: CounterOffer, { onCounter }: ProposeOptions): Promise<void> {
    if (onCounter === undefined || offer.by === this.#exchange.welcome.you.id) return;
    try {
      if (await onCounter(offer)) await accept(this.#exchange, offer.id, offer.digest);
    } catch (error) {
      this.#options.onFault(error);
    }
  }

  async #send(open: Open, draft: Parameters<Exchange['send']>[0]): Promise<number> {
    const before = this.#exchange.seq;
    try {
      const receipt = await this.#exchange.send(draft);
      const seq = receipt.status === 'accepted' ? receipt.seq : 0;
      // The proposal was made before, perhaps by a process that is gone: past messages about it will not arrive
      // again.
      if (seq <= before) await this.#recall(open);
      return seq;
    } catch (failed) {
      open.end({ failed });
      throw failed;
    }
  }

  async #recall(open: Open): Promise<void> {
    for (const message of await this.#options.history(open.proposal.id)) open.proposal.take(message);
  }

  #abort(open: Open, cause: unknown): void {
    this.#giveUp(open, () => new ProposalWithdrawnError(open.proposal.id, undefined, cause));
  }

  /**
   * Withdraws the proposal, so that no one runs it after we have stopped waiting. Only the gateway's
   * answer is certain: if someone fulfilled it first, the result still arrives.
   */
  #giveUp(open: Open, why: () => Error, reason?: string): void {
    if (open.givingUp !== undefined || open.proposal.fulfilment !== undefined) return;
    open.givingUp = why;
    const { id } = open.proposal;
    if (this.#exchange.cancel(id, why())) return;
    this.#options.remarks.withdraw(id, reason).catch((refused: unknown) => {
      const isUnknown = refused instanceof RefusedError && refused.code === 'unknown_proposal';
      open.end({ failed: isUnknown ? why() : notWithdrawn(why(), refused) });
    });
  }

  #take(message: Message): void {
    if (this.#open.size === 0) return;
    const countered = proposalCountered(message);
    for (const id of countered === undefined ? correlationIds(message) : [countered])
      (this.#open.get(id) ?? this.#running.get(id))?.proposal.take(message);
  }
}

/** The rejection stands even if the proposal could not be withdrawn; but then it can still run. */
function notWithdrawn(error: Error, refused: unknown): unknown {
  if (!(error instanceof ProposalRejectedError)) return refused;
  const { proposal, rejections, unansweredBy, why } = error;
  return new ProposalRejectedError(proposal, rejections, { unansweredBy, why, stillPending: refused });
}

/** If a withdrawal was made because waiting was pointless, the error says why. */
function reasonFor({ givingUp }: Open, failed: unknown): unknown {
  return failed instanceof ProposalWithdrawnError && givingUp !== undefined ? givingUp() : failed;
}

function withView(
  result: Promise<JsonValue>,
  { proposal, updates }: Open,
  accepted: Promise<number>,
  { withdraw, renew, accept: take }: Pick<ProposalHandle, 'withdraw' | 'renew' | 'accept'>,
): ProposalPromise {
  const view: Record<keyof ProposalHandle, PropertyDescriptor> = {
    id: { value: proposal.id },
    accepted: { value: accepted },
    fulfilment: { get: () => proposal.fulfilment },
    amendment: { get: () => proposal.amendment },
    rejections: { get: () => proposal.rejections },
    counters: { get: () => proposal.counters },
    accept: { value: take },
    onStatus: { value: (listener: (update: ProposalUpdate) => void) => updates.add(listener) },
    withdraw: { value: withdraw },
    renew: { value: renew },
  };
  return Object.defineProperties(result, view) as ProposalPromise;
}
