import type { Owner } from '@proffer/client/own-calls';
import type { Participant } from '@proffer/client/participation';
import { digestJson } from '@proffer/core';
import { type Change, type JsonObject, type JsonValue, sameJson } from '@proffer/core/json';
import type { GatedCallFacts } from '../call-identity.js';
import type { CallJournal, LaterRound } from '../recovery/index.js';
import type { GuardedToolCall } from '../tool-call.js';

/** The maximum number of operations waiting for their next round; the oldest are dropped. */
const MAX_COUNT = 1_000;

/** The refusal of a call with answers that nobody asked for. */
export const NOT_ASKED_FOR =
  'Nothing was run for this call: it carries answers (inputResponses, requestState) that the server did not ask for, or that an earlier call already used. If an earlier call used them, its answer is the result. To start over, call the tool without them.';

/** What may continue, and for whom. */
export interface Round {
  readonly tool: string;
  /** What the caller asked for, and what was approved instead, if it was changed. */
  readonly asked: JsonObject;
  readonly approved: JsonObject;
  readonly edit: readonly Change[];
  /** The owner of the operation: nobody else can continue it. */
  readonly owner: Owner;
  /** The approver; absent, like {@link Round.facts}, if the rules allowed it. */
  readonly by?: string;
  /** The facts of the round itself. */
  readonly facts?: GatedCallFacts & LaterRound;
}

/** The next round of an approved call. */
export type ApprovedRound = Round & Required<Pick<Round, 'by' | 'facts'>>;

/**
 * Operations that asked their caller for input (2026-07-28): the call that brings it continues the same
 * operation, with the approved arguments, and needs no new approval. Each approval is good for one call, and
 * stays known so that a repeated call finds its outcome; one that the rules allow is good for as many as they
 * allow.
 */
export class NextRounds {
  readonly #expected = new Map<string, { readonly round: Round; isTaken: boolean }>();
  /** Distinguishes connections. */
  readonly #numbers = new WeakMap<object, number>();
  #count = 0;

  /** Remembers the operation, if its result says that it waits for input. */
  expect(round: Round, { resultType, requestState }: JsonObject): void {
    if (resultType !== 'input_required') return;
    const key = this.#key(round.owner, round.tool, requestState ?? round.asked);
    this.#expected.delete(key);
    this.#expected.set(key, { round, isTaken: false });
    const [oldest] = this.#expected.keys();
    if (this.#expected.size > MAX_COUNT && oldest !== undefined) this.#expected.delete(oldest);
  }

  /**
   * The operation that a call continues, by the state that the server gave it or, without one, by its arguments, and
   * whether an earlier call has used it; `undefined` if the call carries nothing, if there is no such operation, if it
   * belongs to another caller, or if the call is for something that was neither asked for nor approved.
   */
  take(
    call: Pick<GuardedToolCall, 'tool' | 'arguments' | 'params'>,
    owner: Owner,
  ): { readonly round: Round; readonly isTaken: boolean } | undefined {
    if (!bringsAnswers(call)) return undefined;
    const { tool, arguments: args, params } = call;
    const found = this.#expected.get(this.#key(owner, tool, params['requestState'] ?? args));
    if (found === undefined) return undefined;
    const { round, isTaken } = found;
    if (!sameJson(args, round.asked) && !sameJson(args, round.approved)) return undefined;
    found.isTaken = round.by !== undefined;
    return { round, isTaken };
  }

  #key(owner: Owner, tool: string, state: JsonValue): string {
    return digestJson([typeof owner === 'object' ? this.#number(owner) : (owner ?? null), tool, state]);
  }

  #number(owner: object): number {
    const number = this.#numbers.get(owner) ?? ++this.#count;
    this.#numbers.set(owner, number);
    return number;
  }
}

/** Whether a call brings requested input, and so continues a started operation. */
export function bringsAnswers({ params }: Pick<GuardedToolCall, 'params'>): boolean {
  return params['requestState'] !== undefined || params['inputResponses'] !== undefined;
}

/** Whether a person approved it; otherwise the rules allowed it. */
export function isApproved(round: Round | undefined): round is ApprovedRound {
  return round?.by !== undefined && round.facts !== undefined;
}

/** Whether it is a later round of a call. */
export function isLaterRound<Facts extends Pick<GatedCallFacts, 'id' | 'round'>>(
  facts: Facts,
): facts is Facts & LaterRound {
  return facts.round !== undefined;
}

/**
 * Tells the space, once, that the outcome of a later round of a call is unknown (O-23). The call itself is settled
 * there with the earlier round, so this is a separate message; without the capability for it nothing is sent.
 */
export function reportRoundUnknown(
  { participant, journal }: { readonly participant: Participant; readonly journal: CallJournal },
  { id, round }: LaterRound,
): void {
  const text = `The outcome of ${id} is unknown: it asked its caller for more input, ran again with the answer (round ${round}), and nobody knows how that round ended. It may or may not have run. It is not run again automatically.`;
  // A guard that was killed before it recorded this sends it again with the same id, and it counts once
  // (O-3).
  const message = { id: `${id}-round-${round}-unknown`, kind: 'chat.message', payload: { text } };
  participant.send(message).then(
    () => journal.keep({ type: 'declared', id, round }),
    () => {},
  );
}
