import { ModeProjection } from '../../projection/mode-projection.js';
import type { ProjectionOptions } from '../../projection/session-projection.js';
import type { EnvelopeOf } from '../../wire/macp-envelope.js';
import { type DelegatedTask, type TaskPhase, taskPhaseOf } from './delegated-task.js';
import { taskMode } from './mode.js';
import type {
  TaskAnswerPayload,
  TaskCompletePayload,
  TaskFailPayload,
  TaskModePayloads,
  TaskRequestPayload,
  TaskUpdatePayload,
} from './payloads.js';
import type { TaskRules } from './rules.js';

/** Something that one sender said about the task. */
export type TaskSaying<Payload> = Payload & { readonly sender: string };

/** The states of a task as MACP's SDKs name them. */
export type TaskStatus = 'requested' | 'accepted' | 'in_progress' | 'rejected' | TaskReport['result'];

/** What the assignee reported at the end. */
export type TaskReport =
  | ({ readonly result: 'completed' } & TaskSaying<TaskCompletePayload>)
  | ({ readonly result: 'failed' } & TaskSaying<TaskFailPayload>);

/**
 * The state of one session in Task Mode, for programs that follow it. Adds to {@link ModeProjection} the task, its
 * progress and the report.
 */
export class TaskProjection extends ModeProjection<DelegatedTask, TaskModePayloads, TaskRules> {
  #task: TaskSaying<TaskRequestPayload> | undefined;
  #report: TaskReport | undefined;
  readonly #rejections: TaskSaying<TaskAnswerPayload>[] = [];
  readonly #updates: TaskSaying<TaskUpdatePayload>[] = [];

  constructor(options: ProjectionOptions = {}) {
    super(taskMode, options);
  }

  /** How far the task has got. */
  get phase(): TaskPhase {
    return taskPhaseOf(this.negotiation);
  }

  /** How far the task has got, in the words of MACP's SDKs; undefined before it is requested. */
  get status(): TaskStatus | undefined {
    const { task, assignee, report, declined } = this.negotiation;
    if (task === undefined || report !== undefined) return report?.result;
    if (assignee === undefined) return declined.size === 0 ? 'requested' : 'rejected';
    return this.#updates.at(-1)?.sender === assignee ? 'in_progress' : 'accepted';
  }

  /** The task, and who requested it; undefined before that. */
  get task(): TaskSaying<TaskRequestPayload> | undefined {
    return this.#task;
  }

  /** Who works on the task, or did. */
  get assignee(): string | undefined {
    return this.negotiation.assignee;
  }

  /** Everybody who declined the task or gave it back. */
  get rejections(): readonly TaskSaying<TaskAnswerPayload>[] {
    return this.#rejections;
  }

  /** Every update, in order. */
  get updates(): readonly TaskSaying<TaskUpdatePayload>[] {
    return this.#updates;
  }

  /** The progress in the latest update; 0 without any. */
  get progress(): number {
    return this.#updates.at(-1)?.progress ?? 0;
  }

  /** What the assignee reported at the end. */
  get report(): TaskReport | undefined {
    return this.#report;
  }

  protected override keepWords({ message_type, payload, sender }: EnvelopeOf<TaskModePayloads>): void {
    switch (message_type) {
      case 'TaskRequest':
        this.#task = { ...payload, sender };
        break;
      case 'TaskAccept':
        break;
      case 'TaskReject':
        this.#rejections.push({ ...payload, sender });
        break;
      case 'TaskUpdate':
        this.#updates.push({ ...payload, sender });
        break;
      case 'TaskComplete':
        this.#report = { result: 'completed', ...payload, sender };
        break;
      case 'TaskFail':
        this.#report = { result: 'failed', ...payload, sender };
        break;
    }
  }
}
