import type { JsonObject } from '@proffer/core';
import { type AnswerContext, answerFor } from './answers.js';
import type { Outcome } from './outcome.js';

/** How often a caller may ask for a task, in milliseconds. */
export const POLL_INTERVAL = 2_000;

/** A gated call as a task (the tasks extension of 2026-07-28). Its id is the proposal's. */
export interface TaskState {
  readonly proposal: string;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly expiresAt?: number;
  readonly status: string;
  readonly outcome?: Outcome;
}

/** The answer to the call itself: a task, to be asked for. */
export function taskCreated(state: TaskState): JsonObject {
  return { resultType: 'task', ...taskFields(state, 'working') };
}

/**
 * The answer to `tasks/get`. Rejection and expiry are results, so the task is `completed`; `failed` is
 * for an error of the server; `cancelled` for what the caller itself called off.
 */
export function taskNow(state: TaskState, context: AnswerContext): JsonObject {
  const { outcome } = state;
  if (outcome === undefined) return { resultType: 'complete', ...taskFields(state, 'working') };
  if (outcome.type === 'withdrawn') return { resultType: 'complete', ...taskFields(state, 'cancelled') };
  const answer = answerFor(outcome, context);
  if ('error' in answer)
    return { resultType: 'complete', ...taskFields(state, 'failed'), error: answer.error };
  return { resultType: 'complete', ...taskFields(state, 'completed'), result: answer.result };
}

/** The answer to `tasks/cancel` and `tasks/update`, which say nothing more. */
export const TASK_ACKNOWLEDGED: JsonObject = { resultType: 'complete' };

function taskFields(
  { proposal, createdAt, changedAt, expiresAt, status }: TaskState,
  word: string,
): JsonObject {
  return {
    taskId: proposal,
    status: word,
    ...(word === 'working' ? { statusMessage: status } : {}),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(changedAt).toISOString(),
    ttlMs: expiresAt === undefined ? null : expiresAt - createdAt,
    pollIntervalMs: POLL_INTERVAL,
  };
}
