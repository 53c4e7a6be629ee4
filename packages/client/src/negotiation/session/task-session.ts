import { type ProjectionOptions, TASK_MODE, TaskProjection } from '@proffer/core/negotiation';
import type { Acknowledgement } from '../acknowledgement.js';
import { type Content, encodeContent } from '../bytes.js';
import type { MacpClient } from '../macp-client.js';
import type { NegotiationCallOptions } from '../persist.js';
import type { FollowerOptions } from './follower.js';
import type { MessageOptions, RemarkOptions } from './message-options.js';
import { ModeSession } from './mode-session.js';

/** The optional fields of a task. */
export interface TaskOptions extends MessageOptions {
  readonly instructions?: string;
  /** Who should do it. Default: whichever participant accepts first. */
  readonly assignee?: string;
  /** Anything the assignee understands. */
  readonly input?: Content;
  /** When it should be done, in milliseconds since 1970; carried, never enforced. */
  readonly deadline?: number;
}

/** What an update says. */
export interface TaskUpdateOptions extends MessageOptions {
  readonly status?: string;
  /** From 0 to 1, by convention. */
  readonly progress?: number;
  readonly message?: string;
  readonly partialOutput?: Content;
}

/** What the report of a completed task says. */
export interface TaskCompleteOptions extends MessageOptions {
  readonly output?: Content;
  readonly summary?: string;
}

/** What the report of a failed task says. */
export interface TaskFailOptions extends RemarkOptions {
  readonly errorCode?: string;
  /** Whether another attempt may succeed. Default false. */
  readonly retryable?: boolean;
}

/** One delegated task, with a method for each message of Task Mode. */
export class TaskSession extends ModeSession<TaskProjection> {
  /**
   * A session that is not started yet: call {@link start} next. To take part in someone else's, call
   * {@link join}.
   */
  constructor(client: MacpClient, options: FollowerOptions = {}) {
    super(client, { ...options, mode: TASK_MODE, project });
  }

  /** Joins a session that someone else started. Settles when the projection is up to date. */
  static join(
    client: MacpClient,
    sessionId: string,
    options: FollowerOptions & NegotiationCallOptions = {},
  ): Promise<TaskSession> {
    return new TaskSession(client, options).enter(sessionId, options);
  }

  /** Requests the task of the session; only its initiator may, and once. */
  request(
    task_id: string,
    title: string,
    { instructions = '', assignee = '', input, deadline = 0, ...options }: TaskOptions = {},
  ): Promise<Acknowledgement> {
    const payload = {
      task_id,
      title,
      instructions,
      requested_assignee: assignee,
      input: bytesOf(input),
      deadline_unix_ms: deadline,
    };
    return this.send('TaskRequest', payload, options);
  }

  /** Takes the task. */
  accept(task_id: string, { reason = '', ...options }: RemarkOptions = {}): Promise<Acknowledgement> {
    return this.send('TaskAccept', { task_id, assignee: '', reason }, options);
  }

  /** Declines the task; or, as its assignee, gives it back if the policy allows that. */
  reject(task_id: string, { reason = '', ...options }: RemarkOptions = {}): Promise<Acknowledgement> {
    return this.send('TaskReject', { task_id, assignee: '', reason }, options);
  }

  /** Says how the assignee gets on. */
  update(
    task_id: string,
    { status = '', progress = 0, message = '', partialOutput, ...options }: TaskUpdateOptions = {},
  ): Promise<Acknowledgement> {
    const payload = { task_id, status, progress, message, partial_output: bytesOf(partialOutput) };
    return this.send('TaskUpdate', payload, options);
  }

  /** Reports that the task is done. */
  complete(
    task_id: string,
    { output, summary = '', ...options }: TaskCompleteOptions = {},
  ): Promise<Acknowledgement> {
    return this.send('TaskComplete', { task_id, assignee: '', output: bytesOf(output), summary }, options);
  }

  /** Reports that the task cannot be done. */
  fail(
    task_id: string,
    { errorCode = '', reason = '', retryable = false, ...options }: TaskFailOptions = {},
  ): Promise<Acknowledgement> {
    return this.send(
      'TaskFail',
      { task_id, assignee: '', error_code: errorCode, reason, retryable },
      options,
    );
  }
}

function project(options: ProjectionOptions): TaskProjection {
  return new TaskProjection(options);
}

function bytesOf(content: Content | undefined): string {
  return content === undefined ? '' : encodeContent(content);
}
