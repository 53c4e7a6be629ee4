import { id } from '../../wire/identifiers.js';
import type { PayloadReaders } from '../../wire/payloads.js';
import { bytes, flag, messageOf, number, text, wholeNumber } from '../../wire/readers.js';

/** The task, to one participant or to whoever accepts it first. */
export type TaskRequestPayload = {
  readonly task_id: string;
  readonly title: string;
  readonly instructions: string;
  /** Empty: any participant but the requester may accept. */
  readonly requested_assignee: string;
  /** Base64. */
  readonly input: string;
  /** Carried, never enforced; 0 for none. */
  readonly deadline_unix_ms: number;
};

/** The sender takes the task, or declines it. */
export type TaskAnswerPayload = {
  readonly task_id: string;
  /** The sender, or empty. */
  readonly assignee: string;
  readonly reason: string;
};

/** How the assignee gets on. */
export type TaskUpdatePayload = {
  readonly task_id: string;
  readonly status: string;
  /** From 0 to 1, by convention. */
  readonly progress: number;
  readonly message: string;
  /** Base64. */
  readonly partial_output: string;
};

/** The assignee reports that the task is done. */
export type TaskCompletePayload = {
  readonly task_id: string;
  /** The sender, or empty. */
  readonly assignee: string;
  /** Base64. */
  readonly output: string;
  readonly summary: string;
};

/** The assignee reports that the task cannot be done. */
export type TaskFailPayload = {
  readonly task_id: string;
  /** The sender, or empty. */
  readonly assignee: string;
  readonly error_code: string;
  readonly reason: string;
  readonly retryable: boolean;
};

/** The payload of each message that only Task Mode has. */
export type TaskModePayloads = {
  readonly TaskRequest: TaskRequestPayload;
  readonly TaskAccept: TaskAnswerPayload;
  readonly TaskReject: TaskAnswerPayload;
  readonly TaskUpdate: TaskUpdatePayload;
  readonly TaskComplete: TaskCompletePayload;
  readonly TaskFail: TaskFailPayload;
};

const answer = messageOf<TaskAnswerPayload>({ task_id: id, assignee: text, reason: text });

/** Their readers. */
export const TASK_READERS: PayloadReaders<TaskModePayloads> = {
  TaskRequest: messageOf<TaskRequestPayload>({
    task_id: id,
    title: text,
    instructions: text,
    requested_assignee: text,
    input: bytes,
    deadline_unix_ms: wholeNumber(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  }),
  TaskAccept: answer,
  TaskReject: answer,
  TaskUpdate: messageOf<TaskUpdatePayload>({
    task_id: id,
    status: text,
    progress: number,
    message: text,
    partial_output: bytes,
  }),
  TaskComplete: messageOf<TaskCompletePayload>({ task_id: id, assignee: text, output: bytes, summary: text }),
  TaskFail: messageOf<TaskFailPayload>({
    task_id: id,
    assignee: text,
    error_code: text,
    reason: text,
    retryable: flag,
  }),
};
