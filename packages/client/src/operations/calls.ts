import { GATEWAY, type JsonObject, type JsonValue } from '@proffer/core';
import type { Exchange } from '../connection/exchange.js';
import type { Message } from '../connection/message.js';
import { newId } from '../connection/new-id.js';
import { OutcomeUnknownError, ProposalNotPendingError, RefusedError } from '../errors.js';
import { sendOnceThere } from './absent-executor.js';
import { isNotification, readAnswer, requestPayload } from './responses.js';

export interface CallOptions {
  /** Whom to ask. For a fulfilment it may be left out: the one that serves the tool runs it (O-26). */
  readonly to?: string | readonly string[];
  /** Stops waiting; the promise fails with the signal's reason. What was asked for may still run. */
  readonly signal?: AbortSignal;
  /** Default a new one. */
  readonly id?: string;
}

interface Call {
  readonly to: readonly string[];
  readonly proposal?: string;
  readonly settle: (result: JsonValue) => void;
  readonly fail: (reason: unknown) => void;
}

/** Requests of our own, until they are answered. */
export class Calls {
  readonly #exchange: Exchange;
  readonly #open = new Map<string, Call>();

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    exchange.messages.add((message) => this.#take(message));
    exchange.endings.add((reason) => {
      for (const { fail } of this.#open.values()) fail(reason);
    });
  }

  /** Sends a request; settles with the result of its response. With `proposal`, it fulfils that proposal. */
  async request(
    method: string,
    params: JsonObject | undefined,
    options: CallOptions & { readonly proposal?: string } = {},
  ): Promise<JsonValue> {
    const { signal, proposal, id = newId() } = options;
    signal?.throwIfAborted();
    const to = typeof options.to === 'string' ? [options.to] : (options.to ?? []);
    const answered = this.#answerTo(id, to, proposal);
    const onAbort = (): void => this.#open.get(id)?.fail(signal?.reason);
    signal?.addEventListener('abort', onAbort);
    try {
      const message = {
        id,
        kind: `mcp.request.${method}`,
        ...(to.length === 0 ? {} : { to }),
        ...(proposal === undefined ? {} : { correlationId: proposal }),
        payload: requestPayload(id, method, params),
      };
      const sent = sendOnceThere(
        (executor) => this.#exchange.send(executor === undefined ? message : { ...message, to: [executor] }),
        () => this.#open.has(id),
      );
      sent.catch((error: unknown) => this.#open.get(id)?.fail(fulfilmentError(error, proposal)));
      if (!isNotification(method)) return await answered;
      await Promise.race([sent, answered]);
      return null;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.#open.delete(id);
    }
  }

  #answerTo(id: string, to: readonly string[], proposal: string | undefined): Promise<JsonValue> {
    return new Promise((settle, fail) => {
      this.#open.set(id, { to, settle, fail, ...(proposal === undefined ? {} : { proposal }) });
    });
  }

  #take(message: Message): void {
    if (this.#open.size === 0) return;
    const { kind, from, correlationId, payload } = message;
    if (kind.startsWith('mcp.response') && typeof correlationId === 'string') {
      const call = this.#open.get(correlationId);
      // Of a fulfilment the gateway has checked who may answer it.
      const mayAnswer = call?.proposal !== undefined || call?.to.length === 0 || call?.to.includes(from);
      if (call === undefined || mayAnswer !== true) return;
      const { proposal } = call;
      const answer = readAnswer(payload, {
        id: correlationId,
        executor: from,
        ...(proposal === undefined ? {} : { proposal }),
      });
      if ('failed' in answer) call.fail(answer.failed);
      else call.settle(answer.result);
    } else if (kind === 'system.notice' && from === GATEWAY) {
      this.#takeNotice(payload);
    } else if (kind === 'system.presence' && from === GATEWAY && payload['event'] === 'leave') {
      this.#loseExecutor(payload);
    }
  }

  #takeNotice({ notice, request, cause, executor, proposal }: JsonObject): void {
    if (notice !== 'outcome_unknown' || typeof request !== 'string') return;
    const about = {
      ...(typeof proposal === 'string' ? { proposal } : {}),
      ...(typeof executor === 'string' ? { executor } : {}),
    };
    const why = typeof cause === 'string' ? cause : 'no_answer';
    this.#open.get(request)?.fail(new OutcomeUnknownError(request, why, about));
  }

  /** About a fulfilment the gateway says so itself; about any other request nobody does. */
  #loseExecutor({ participant }: JsonObject): void {
    const gone = typeof participant === 'object' && participant !== null && 'id' in participant;
    if (!gone) return;
    for (const [request, { to, proposal, fail }] of this.#open) {
      const [executor, ...others] = to;
      if (proposal !== undefined || others.length > 0 || executor === undefined) continue;
      if (executor === participant.id) fail(new OutcomeUnknownError(request, 'executor_left', { executor }));
    }
  }
}

function fulfilmentError(error: unknown, proposal: string | undefined): unknown {
  const isLate = error instanceof RefusedError && error.code === 'proposal_not_pending';
  return isLate && proposal !== undefined
    ? new ProposalNotPendingError(proposal, error.message, error.details)
    : error;
}
