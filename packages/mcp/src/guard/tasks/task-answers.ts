import { type OwnCallOutcome } from '@proffer/client/own-calls';
import { defined, type JsonObject, makeVisible } from '@proffer/core/json';
import { objectAt, type RpcAnswer, textAt } from '../../json-rpc.js';
import { type AnswerContext, answerFor } from '../answers.js';
import { type GatedCall, inputOf } from '../calls/index.js';
import { RELATED_TASK_KEY } from '../server/index.js';
import type { GuardedToolCall } from '../tool-call.js';

/** The suggested polling interval of a task, in milliseconds. */
export const POLL_INTERVAL = 2_000;

/** A gated call as a task, of 2025-11-25 or the 2026-07-28 extension. Its id is the proposal's. */
export interface TaskState {
  readonly proposal: string;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly expiresAt?: number;
  /** How long its caller wants it to be available, in milliseconds. */
  readonly wantedTtl?: number | undefined;
  readonly status: string;
  readonly outcome?: OwnCallOutcome;
  /** The questions to its caller before it continues, by key (2026-07-28). */
  readonly wanted?: JsonObject;
  /** Whether it was cancelled, though the space has not confirmed it yet. */
  readonly isCalledOff: boolean;
}

type TaskWord = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
type Revision = Pick<GuardedToolCall, 'isModern'>;

/** @param status - its state, for people */
export function taskStateOf(call: GatedCall, status: string): TaskState {
  const { facts, state, outcome, isOpen } = call;
  const { requests } = inputOf(call);
  const { id, createdAt, expiresAt } = facts;
  return {
    proposal: id,
    createdAt,
    changedAt: state.changedAt,
    ...defined({ expiresAt }),
    status,
    ...(outcome === undefined ? {} : { outcome }),
    ...(requests === undefined ? {} : { wanted: requests }),
    isCalledOff: !isOpen && outcome === undefined,
  };
}

/** The answer to the call itself: a task to poll. */
export function taskCreated(state: TaskState, revision: Revision): JsonObject {
  const fields = taskFields(state, 'working', revision);
  return revision.isModern ? { resultType: 'task', ...fields } : { task: fields };
}

/**
 * The answer to `tasks/get`. Rejection and expiry are results, so the task is `completed`, even if the result
 * has `isError`: clients fetch no other result. `failed` is for a server error; `cancelled` for what the
 * caller itself cancelled.
 */
export function taskNow(state: TaskState, context: AnswerContext): JsonObject {
  const { outcome, wanted, isCalledOff } = state;
  const type = context.isModern ? { resultType: 'complete' } : {};
  const now = (word: TaskWord, more: JsonObject = {}): JsonObject => ({
    ...type,
    ...taskFields(state, word, context),
    ...more,
  });
  if (outcome?.type === 'withdrawn' || isCalledOff)
    return now('cancelled', { statusMessage: cancelledText(outcome) });
  if (outcome === undefined)
    return wanted === undefined ? now('working') : now('input_required', { inputRequests: wanted });
  const answer = answerFor(outcome, context);
  if ('error' in answer)
    return now('failed', context.isModern ? answer : { statusMessage: textAt(answer.error, 'message') });
  return now('completed', context.isModern ? answer : {});
}

function cancelledText(outcome: OwnCallOutcome | undefined): string {
  const reason = outcome?.type === 'withdrawn' ? outcome.reason : undefined;
  return `It was not run${reason === undefined ? '' : ` (${makeVisible(reason)})`}. Nobody rejected it.`;
}

/** The answer to `tasks/result` (2025-11-25): what the call itself would have been answered with. */
export function taskResult({ facts }: GatedCall, answer: RpcAnswer): RpcAnswer {
  if ('error' in answer) return answer;
  const related = { [RELATED_TASK_KEY]: { taskId: facts.id } };
  return { result: { ...answer.result, _meta: { ...objectAt(answer.result, '_meta'), ...related } } };
}

/** The answer to `tasks/cancel` and `tasks/update` of 2026-07-28, which have no content. */
export const TASK_ACKNOWLEDGED: JsonObject = { resultType: 'complete' };

function taskFields(
  { proposal, createdAt, changedAt, expiresAt, wantedTtl = 0, status }: TaskState,
  word: TaskWord,
  { isModern }: Revision,
): JsonObject {
  // People may need longer than a caller expects, so this is never less than the decision time.
  const ttl = expiresAt === undefined ? null : Math.max(expiresAt - createdAt, wantedTtl);
  return {
    taskId: proposal,
    status: word,
    ...(word === 'working' ? { statusMessage: status } : {}),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(changedAt).toISOString(),
    ...(isModern ? { ttlMs: ttl, pollIntervalMs: POLL_INTERVAL } : { ttl, pollInterval: POLL_INTERVAL }),
  };
}
