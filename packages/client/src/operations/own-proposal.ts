import { correlationIds, GATEWAY } from '@proffer/core';
import {
  type Change,
  defined,
  diffJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  textOf,
  textsIn,
} from '@proffer/core/json';
import { isDecisiveRejection, rejectsProposal } from '@proffer/core/operations';
import { describeNotice, PLAIN } from '@proffer/core/words';
import type { Message } from '../connection/message.js';
import {
  DependencyFailedError,
  OutcomeUnknownError,
  ProposalExpiredError,
  ProposalRejectedError,
  type ProposalRejection,
  ProposalWithdrawnError,
} from '../errors.js';
import { isNotification, readAnswer } from '../serving/responses.js';
import { type ApprovalResult, readApproval } from './approvals.js';
import { type CounterOffer, readCounter } from './counters.js';
import { isFulfilment } from './pending-proposals.js';
import type { ProposalStatus } from './remarks.js';

export interface OwnProposalOptions {
  readonly id: string;
  readonly method: string;
  readonly params?: JsonObject;
  /** What a rejection means: give it up, or leave it to the others (O-31). */
  readonly onRejection: 'withdraw' | 'wait';
  readonly tell: (update: ProposalUpdate) => void;
  /** The proposal was rejected: withdraw it, and fail with the rejections once that is certain. */
  readonly giveUp: () => void;
  /** The proposal is over. */
  readonly end: (outcome: { readonly result: JsonValue } | { readonly failed: Error }) => void;
}

/** One proposal of our own: folds the messages about it until it ends. Sends nothing. */
export class OwnProposal {
  readonly id: string;
  readonly rejections: ProposalRejection[] = [];
  readonly counters: CounterOffer[] = [];
  fulfilment: ProposalFulfilment | undefined;
  readonly #options: OwnProposalOptions;
  #seq = 0;

  constructor(options: OwnProposalOptions) {
    this.id = options.id;
    this.#options = options;
  }

  /** What was changed in the params (O-13); `undefined` while it is not fulfilled. */
  get amendment(): readonly Change[] | undefined {
    return this.fulfilment?.amendment;
  }

  /** The error if it was rejected: with every rejection so far. */
  rejected(unansweredBy: readonly string[] = []): ProposalRejectedError {
    return new ProposalRejectedError(this.id, [...this.rejections], { unansweredBy });
  }

  /** Handles a message that refers to the proposal, or to the request that fulfilled it. */
  take(message: Message): void {
    const { kind, from, payload, seq = 0 } = message;
    // A message can arrive twice, live and from history.
    if (seq <= this.#seq) return;
    this.#seq = seq;
    if (kind.startsWith('mcp.response')) this.#answer(message);
    else if (kind.startsWith('mcp.request.')) this.#fulfil(message);
    else if (kind === 'mcpx.reject.proposal') this.#reject(from, payload);
    else if (kind === 'mcpx.withdraw.proposal') this.#withdraw(payload);
    else if (kind === 'mcpx.renew.proposal')
      this.#options.tell({ type: 'renewed', ttl: Number(payload['ttl']) });
    else if (kind === 'mcpx.counter.proposal') this.#counter(message);
    else if (kind === 'mcpx.accept.counter') this.#accepted(message);
    else if (kind === 'mcpx.approve.proposal')
      this.#options.tell(
        payload['revoke'] === true
          ? { type: 'approval_taken_back', by: from }
          : { type: 'approved', by: from, ...readApproval(payload) },
      );
    else if (kind === 'mcpx.delegate.review') {
      const { to } = payload;
      this.#options.tell({ type: 'delegated', by: from, ...(typeof to === 'string' ? { to } : {}) });
    } else if (kind === 'mcpx.status.proposal') {
      const status = textOf(payload['status']) as ProposalStatus;
      const counts = { ...countOf(payload, 'progress'), ...countOf(payload, 'total') };
      this.#options.tell({ type: 'status', by: from, status, ...noteOf(payload), ...counts });
    } else if (kind === 'system.notice' && from === GATEWAY) this.#notice(payload);
  }

  #fulfil(message: Message): void {
    const { method, params, tell, end } = this.#options;
    if (this.fulfilment !== undefined) return;
    if (!isFulfilment({ method, ...defined({ params }) }, message)) return;
    const { id, from, to = [], payload } = message;
    const [executor, ...others] = to;
    this.fulfilment = {
      by: from,
      request: id,
      ...(executor === undefined || others.length > 0 ? {} : { executor }),
      amendment: diffJson(params, payload['params']),
      ...(isJsonObject(payload['params']) ? { params: payload['params'] } : {}),
      ...(typeof payload['grant'] === 'string' ? { grant: payload['grant'] } : {}),
    };
    tell({ type: 'fulfilled', ...this.fulfilment });
    if (isNotification(method)) end({ result: null });
  }

  #answer(message: Message): void {
    const { from, payload } = message;
    const { executor } = this.fulfilment ?? {};
    if (executor !== undefined && from !== executor) return;
    if (this.fulfilment !== undefined && correlationIds(message).includes(this.fulfilment.request)) {
      const request = { id: this.fulfilment.request, proposal: this.id, executor: from };
      this.#options.end(readAnswer(payload, request));
    }
  }

  #counter(message: Message): void {
    const offer = readCounter(message);
    this.counters.push(offer);
    this.#options.tell({ type: 'countered', ...offer });
  }

  #accepted(message: Message): void {
    const { payload } = message;
    const [counter = ''] = correlationIds(message);
    const by = textOf(payload['author']);
    this.#options.tell({ type: 'counter_accepted', counter, by, ...readApproval(payload) });
  }

  #reject(by: string, payload: JsonObject): void {
    const mark = payload['couldApprove'] === true ? ({ couldApprove: true } as const) : {};
    const rejection = { by, reason: textOf(payload['reason']), ...noteOf(payload), ...mark };
    this.rejections.push(rejection);
    this.#options.tell({ type: 'rejected', ...rejection });
    if (this.#options.onRejection === 'withdraw' && isDecisiveRejection(rejection)) this.#options.giveUp();
  }

  #withdraw({ reason }: JsonObject): void {
    const why = typeof reason === 'string' ? reason : undefined;
    this.#options.end({ failed: new ProposalWithdrawnError(this.id, why) });
  }

  #declined(payload: JsonObject, unansweredBy: readonly string[]): Error {
    if (payload['why'] === 'dependency') return new DependencyFailedError(this.id, dependencyIn(payload));
    const why = describeNotice(payload, PLAIN);
    return new ProposalRejectedError(this.id, [...this.rejections], { unansweredBy, why });
  }

  #notice(payload: JsonObject): void {
    const { tell, end, giveUp, onRejection } = this.#options;
    const { notice, final, absent, unansweredBy, cause } = payload;
    if (notice === 'expired') end({ failed: new ProposalExpiredError(this.id) });
    if (notice === 'opened') tell({ type: 'opened' });
    if (notice === 'nobody_capable') tell({ type: 'nobody_capable' });
    if (notice === 'expiring') tell({ type: 'expiring', expiresAt: Number(payload['expiresAt']) });
    if (notice === 'escalated') tell({ type: 'escalated', to: textsIn(payload['to']) });
    if (notice === 'dependencies_met') {
      const [dependencies, waitsFor] = [textsIn(payload['dependencies']), textsIn(payload['waitsFor'])];
      tell({ type: 'dependencies_met', dependencies, waitsFor });
    }
    if (notice === 'dependency_failed') tell({ type: 'dependency_failed', ...dependencyIn(payload) });
    if (notice === 'addressees_absent') tell({ type: 'offline', who: textsIn(absent) });
    if (notice === 'outcome_unknown') {
      const { request = '', executor } = this.fulfilment ?? {};
      const about = { proposal: this.id, ...defined({ executor }) };
      end({ failed: new OutcomeUnknownError(request, textOf(cause), about) });
    }
    if (notice !== 'declined') return;
    const silent = textsIn(unansweredBy);
    tell({ type: 'declined', final: final === true, unansweredBy: silent });
    if (final === true) end({ failed: this.#declined(payload, silent) });
    else if (onRejection === 'withdraw' && this.rejections.some(rejectsProposal)) giveUp();
  }
}

function noteOf(payload: JsonObject): { readonly message?: string } {
  const { message } = objectOf(payload);
  return typeof message === 'string' ? { message } : {};
}

function dependencyIn({ dependency, outcome }: JsonObject): {
  readonly dependency: string;
  readonly outcome: string;
} {
  return { dependency: textOf(dependency), outcome: textOf(outcome) };
}

function countOf<Key extends 'progress' | 'total'>(
  payload: JsonObject,
  key: Key,
): { readonly [K in Key]?: number } {
  const { [key]: count } = payload;
  return typeof count === 'number' ? ({ [key]: count } as { readonly [K in Key]?: number }) : {};
}

/** How a proposal was fulfilled. */
export type ProposalFulfilment = {
  readonly by: string;
  /** The envelope id of the request. */
  readonly request: string;
  /** Who runs it, if one participant was named or found (O-26). */
  readonly executor?: string;
  /** What the fulfiller changed in the params (O-13); empty if nothing: what runs is what was proposed. */
  readonly amendment: readonly Change[];
  /** What runs: the proposed params with the amendment applied. */
  readonly params?: JsonObject;
  /** The grant by which it ran, if no one was asked; `by` is the granter (O-41). */
  readonly grant?: string;
};

/**
 * Something that happened to a proposal of our own, before it ended.
 *
 * - `accepted`: it is in the journal.
 * - `approved`: someone approved it; with how many approvals it needs (O-29).
 * - `countered`: someone offers other params; accept them with its `id` (O-40).
 * - `counter_accepted`: we accepted a counter-offer, which counts as its author's approval.
 * - `renewed`, `expiring`: it has more time, or not much left (O-36).
 * - `escalated`: nobody decided in time, so others are asked (O-33).
 * - `nobody_capable`: nobody present could fulfil it; it stays open (O-38).
 * - `offline`: some of those addressed are not connected; it stays open for them (O-32).
 * - `declined`: everybody addressed has rejected it (O-18), or it was reserved for some who did not
 *   take it (O-20).
 * - `dependencies_met`, `dependency_failed`: proposals it depends on settled `ok`, or one did not and
 *   it can be decided without it (O-37).
 * - `delegated`: an approver delegated its part in it, or took it back (O-34).
 * - `opened`: the window of the preferred is over, anybody may fulfil it (O-20).
 */
export type ProposalUpdate =
  | { readonly type: 'accepted'; readonly seq: number }
  | {
      readonly type: 'status';
      readonly by: string;
      readonly status: ProposalStatus;
      readonly message?: string;
      /** The progress and the total, while it runs (O-42). */
      readonly progress?: number;
      readonly total?: number;
    }
  | { readonly type: 'approval_taken_back'; readonly by: string }
  | ({ readonly type: 'approved'; readonly by: string } & ApprovalResult)
  | ({ readonly type: 'countered' } & CounterOffer)
  | ({ readonly type: 'counter_accepted'; readonly counter: string; readonly by: string } & ApprovalResult)
  | ({ readonly type: 'rejected' } & ProposalRejection)
  | { readonly type: 'renewed'; readonly ttl: number }
  | { readonly type: 'expiring'; readonly expiresAt: number }
  | { readonly type: 'escalated'; readonly to: readonly string[] }
  | { readonly type: 'nobody_capable' }
  | { readonly type: 'offline'; readonly who: readonly string[] }
  | { readonly type: 'declined'; readonly final: boolean; readonly unansweredBy: readonly string[] }
  | {
      readonly type: 'dependencies_met';
      readonly dependencies: readonly string[];
      /** The proposals it still waits for. */
      readonly waitsFor: readonly string[];
    }
  | { readonly type: 'dependency_failed'; readonly dependency: string; readonly outcome: string }
  | { readonly type: 'delegated'; readonly by: string; readonly to?: string }
  | { readonly type: 'opened' }
  | ({ readonly type: 'fulfilled' } & ProposalFulfilment);
