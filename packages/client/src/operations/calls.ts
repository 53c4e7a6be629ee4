import { correlationIds, GATEWAY, type Subject, subjectOf } from '@proffer/core';
import { defined, describe, type JsonObject, type JsonValue } from '@proffer/core/json';
import type { Assertion, ShownVersion } from '@proffer/core/operations';
import type { Exchange } from '../connection/exchange.js';
import type { Message } from '../connection/message.js';
import { newId } from '../connection/new-id.js';
import {
  ApprovalsMissingError,
  OutcomeUnknownError,
  ProposalNotPendingError,
  ProposalWaitsError,
  RefusedError,
} from '../errors.js';
import { sendOnceThere } from '../serving/absent-executor.js';
import { isNotification, readAnswer, requestPayload } from '../serving/responses.js';
import { readApproval } from './approvals.js';

export interface CallOptions {
  /**
   * Whom to ask; only their answer counts. Optional if one participant serves the tool, prompt or
   * resource, and for a fulfilment (O-26).
   */
  readonly to?: string | readonly string[];
  /** Stops waiting; the promise fails with the signal's reason. The request may still run. */
  readonly signal?: AbortSignal;
  /** Default: a new one. */
  readonly id?: string;
  /** For a fulfilment, what you were shown of it, as in an approval (O-35). */
  readonly seen?: ShownVersion;
  /** For a fulfilment, a signature of the decision, as in an approval (O-49). */
  readonly signature?: Assertion;
}

interface Call {
  /**
   * Who may answer: the addressees. For a fulfilment the gateway decides who runs it, in the request as
   * it is delivered back to us; no one before that.
   */
  to: readonly string[] | undefined;
  readonly proposal?: string;
  readonly settle: (result: JsonValue) => void;
  readonly fail: (reason: unknown) => void;
}

/** Requests of our own, until they are answered. */
export class OwnRequests {
  readonly #exchange: Exchange;
  readonly #servedBy: (subject: Subject) => readonly string[];
  readonly #open = new Map<string, Call>();

  /** @param servedBy - the participants in the space that serve a tool, prompt or resource */
  constructor(exchange: Exchange, servedBy: (subject: Subject) => readonly string[]) {
    this.#exchange = exchange;
    this.#servedBy = servedBy;
    exchange.messages.add((message) => this.#take(message));
    exchange.endings.add((reason) => {
      for (const { fail } of this.#open.values()) fail(reason);
    });
  }

  /**
   * Sends a request; settles with the result of its response. With `proposal`, it fulfils that
   * proposal.
   */
  async request(
    method: string,
    params: JsonObject | undefined,
    options: CallOptions & { readonly proposal?: string } = {},
  ): Promise<JsonValue> {
    const { signal, proposal, id = newId(), seen, signature } = options;
    signal?.throwIfAborted();
    const given = typeof options.to === 'string' ? [options.to] : (options.to ?? []);
    const to = given.length > 0 || proposal !== undefined ? given : this.#find(method, params);
    const answered = this.#answerTo(id, to, proposal);
    const onAbort = (): void => this.#open.get(id)?.fail(signal?.reason);
    signal?.addEventListener('abort', onAbort);
    try {
      const message = {
        id,
        kind: `mcp.request.${method}`,
        ...(to.length === 0 ? {} : { to }),
        ...defined({ correlationId: proposal }),
        payload: { ...requestPayload(id, method, params), ...defined({ seen, signature }) },
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
      const call = proposal === undefined ? { to } : { to: undefined, proposal };
      this.#open.set(id, { ...call, settle, fail });
    });
  }

  /** Whom to ask by default: the participant that serves it. Only the asked participant's answer counts. */
  #find(method: string, params: JsonObject | undefined): readonly string[] {
    if (isNotification(method)) return [];
    const subject = subjectOf(method, params);
    const candidates = subject === undefined ? [] : this.#servedBy(subject);
    if (candidates.length === 1) return candidates;
    const what = `${describe(subject?.name ?? method)} is served by ${candidates.join(', ') || 'nobody here'}.`;
    throw new RefusedError('ambiguous_executor', `${what} Name whom to ask in \`to\`.`, { candidates });
  }

  #take(message: Message): void {
    if (this.#open.size === 0) return;
    const { kind, from, payload } = message;
    if (from === this.#exchange.welcome.you.id) {
      if (kind.startsWith('mcp.request.')) this.#learnExecutor(message);
      if (kind === 'mcpx.approve.proposal') this.#countApproval(message);
    }
    if (kind.startsWith('mcp.response')) {
      const id = correlationIds(message).find((request) => this.#open.has(request)) ?? '';
      const call = this.#open.get(id);
      if (call?.to === undefined) return;
      // If a fulfilment has no single executor, the gateway has checked who answers it.
      const isAsked = call.to.includes(from) || (call.proposal !== undefined && call.to.length === 0);
      if (!isAsked) return;
      const { proposal } = call;
      const answer = readAnswer(payload, { id, executor: from, ...defined({ proposal }) });
      if ('failed' in answer) call.fail(answer.failed);
      else call.settle(answer.result);
    } else if (kind === 'system.notice' && from === GATEWAY) {
      this.#takeNotice(payload);
    } else if (kind === 'system.presence' && from === GATEWAY && payload['event'] === 'leave') {
      this.#loseExecutor(payload);
    }
  }

  /** A fulfilment of ours that the space's policy counts as one approval among several (O-29). */
  #countApproval({ id, payload }: Message): void {
    const call = this.#open.get(id);
    if (call?.proposal === undefined) return;
    const approval = readApproval(payload);
    const { waitsFor } = approval;
    call.fail(
      waitsFor === undefined
        ? new ApprovalsMissingError(call.proposal, approval)
        : new ProposalWaitsError(call.proposal, waitsFor),
    );
  }

  /** A fulfilment of ours as it was accepted: it is addressed to its executor (O-26). */
  #learnExecutor({ id, to = [] }: Message): void {
    const call = this.#open.get(id);
    if (call?.proposal !== undefined) call.to = to;
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

  /** For a fulfilment the gateway itself reports it; for any other request no one does. */
  #loseExecutor({ participant }: JsonObject): void {
    const gone = typeof participant === 'object' && participant !== null && 'id' in participant;
    if (!gone) return;
    for (const [request, { to, proposal, fail }] of this.#open) {
      const [executor, ...others] = to ?? [];
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
