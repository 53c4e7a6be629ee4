import { type Change, defined, isJsonArray, type JsonObject, objectOf, textOf } from '@proffer/core/json';
import type { Exchange } from '../connection/exchange.js';
import type { Message, Receipt } from '../connection/message.js';

/** Other params, offered in place of the proposed ones (O-40). */
export type CounterOffer = {
  /** The id to accept it by. */
  readonly id: string;
  readonly by: string;
  /** What it answers: the proposal, or another counter-offer. */
  readonly answers: string;
  readonly params: JsonObject;
  /** Identifies exactly what is approved or accepted. */
  readonly digest: string;
  /** What it changes in the proposed params. */
  readonly amendment: readonly Change[];
  readonly reason: string;
};

/** Options of a counter-offer. */
export interface CounterOptions {
  /** Why, in up to 1000 characters. */
  readonly reason: string;
  /** The counter-offer that it answers. Default: the proposal itself. */
  readonly answers?: string;
  /** Who runs it. Default: whoever serves the tool (O-26). */
  readonly executor?: string;
  /** Default: a new one. */
  readonly id?: string;
}

/** Counter-offers of a participant, and how it handles those of others. */
export interface Counters {
  /**
   * Offers other params in place of the proposed ones (O-40): as a reviewer what we would approve, as
   * the proposer an answer to such an offer. Settles when it is durable; it is accepted by its `id`.
   */
  readonly counter: (proposal: string, params: JsonObject, options: CounterOptions) => Promise<Receipt>;
  /**
   * Accepts a counter-offer to a proposal of our own: exactly that runs, once, in the name of its author. If a policy
   * requires more, it counts as their approval. With `digest`, only if it is that of the counter-offer.
   */
  readonly accept: (counterOffer: string, digest?: string) => Promise<Receipt>;
}

export function createCounters(exchange: Exchange): Counters {
  return {
    counter: (proposal, params, options) => counter(exchange, proposal, params, options),
    accept: (counterOffer, digest) => accept(exchange, counterOffer, digest),
  };
}

function counter(
  exchange: Exchange,
  proposal: string,
  params: JsonObject,
  { reason, answers = proposal, executor, id }: CounterOptions,
): Promise<Receipt> {
  return exchange.send({
    ...defined({ id }),
    kind: 'mcpx.counter.proposal',
    correlationId: answers,
    payload: { params, reason, ...defined({ executor }) },
  });
}

/** The acceptance of a counter-offer, by its id. */
export function accept(exchange: Exchange, counterOffer: string, digest?: string): Promise<Receipt> {
  return exchange.send({
    kind: 'mcpx.accept.counter',
    correlationId: counterOffer,
    payload: defined({ digest }),
  });
}

/** Reads a counter-offer from the delivered message. */
export function readCounter({ id, from: by, correlationId, payload }: Message): CounterOffer {
  const { params, digest, amendment, reason } = payload;
  return {
    id,
    by,
    answers: textOf(correlationId),
    params: objectOf(params),
    digest: textOf(digest),
    amendment: isJsonArray(amendment) ? (amendment as unknown as readonly Change[]) : [],
    reason: textOf(reason),
  };
}

/** The proposal that a counter-offer, or its acceptance, is about; `undefined` for any other message. */
export function proposalCountered({ kind, payload }: Message): string | undefined {
  if (kind !== 'mcpx.counter.proposal' && kind !== 'mcpx.accept.counter') return undefined;
  const { proposal } = payload;
  return typeof proposal === 'string' ? proposal : undefined;
}
