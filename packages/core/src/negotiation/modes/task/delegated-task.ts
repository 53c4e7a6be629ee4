import { VersionedMap } from '../../../collections/versioned-map.js';
import type { JsonObject } from '../../../json/json.js';
import { throwUnsupported } from '../../../record/record.js';
import type { MacpEnvelope } from '../../wire/macp-envelope.js';
import type { CommitmentPayload } from '../../wire/payloads.js';
import { decodeMap, encodeMap } from '../encode-map.js';
import type { ModeMessage } from '../mode.js';
import type { TaskModePayloads } from './payloads.js';

/** The messages of the mode, as opposed to those of the session. */
export type TaskEnvelope = ModeMessage<TaskModePayloads>;

/** How far a task has got. */
export type TaskPhase = 'Waiting' | 'Requested' | 'InProgress' | 'Completed' | 'Failed' | 'Committed';

/**
 * The state of a delegated task: the result of the accepted messages, and no more than the rules need. The
 * session's decider and the projection fold the same function over the same messages (N-12).
 */
export interface DelegatedTask {
  /** The task, once it is requested; never another one. */
  readonly task?: { readonly id: string; readonly requestedAssignee: string } | undefined;
  /** Who works on it. Stays after the report. */
  readonly assignee?: string | undefined;
  /** Who declined it, and whether it was while working on it. */
  readonly declined: VersionedMap<boolean>;
  /** What the assignee reported last; after that only the outcome is open. */
  readonly report?: { readonly result: 'completed' | 'failed'; readonly hasOutput: boolean } | undefined;
  /** The outcome; there is never a second one (I-2). */
  readonly commitment?: { readonly by: string; readonly payload: CommitmentPayload } | undefined;
}

/** A session without a task. */
export const NO_TASK: DelegatedTask = { declined: VersionedMap.empty() };

/**
 * The task after one more accepted message. Whether it may be accepted is decided before.
 *
 * @throws Error for an unknown message type
 */
export function applyTaskMessage(before: DelegatedTask, envelope: TaskEnvelope): DelegatedTask {
  const { sender } = envelope;
  switch (envelope.message_type) {
    case 'TaskRequest': {
      const { task_id: id, requested_assignee: requestedAssignee } = envelope.payload;
      return { ...before, task: { id, requestedAssignee } };
    }
    case 'TaskAccept':
      return { ...before, assignee: sender };
    case 'TaskReject': {
      const isActive = before.assignee === sender;
      const declined = before.declined.set(sender, isActive);
      return { ...before, declined, assignee: isActive ? undefined : before.assignee };
    }
    case 'TaskUpdate':
      return before;
    case 'TaskComplete':
      return { ...before, report: { result: 'completed', hasOutput: envelope.payload.output !== '' } };
    case 'TaskFail':
      return { ...before, report: { result: 'failed', hasOutput: false } };
    case 'Commitment':
      return { ...before, commitment: { by: sender, payload: envelope.payload } };
    default:
      return throwUnsupported('message', (envelope satisfies never as MacpEnvelope).message_type);
  }
}

/** How far the task has got. */
export function taskPhaseOf({ task, assignee, report, commitment }: DelegatedTask): TaskPhase {
  if (commitment !== undefined) return 'Committed';
  if (report !== undefined) return report.result === 'completed' ? 'Completed' : 'Failed';
  if (assignee !== undefined) return 'InProgress';
  return task === undefined ? 'Waiting' : 'Requested';
}

/** The state as JSON; equal for a session and a projection of its messages (N-12). */
export function encodeDelegatedTask({ declined, ...plain }: DelegatedTask): JsonObject {
  return { ...plain, declined: encodeMap(declined) };
}

/** The inverse of {@link encodeDelegatedTask}. */
export function decodeDelegatedTask(json: JsonObject): DelegatedTask {
  const { declined, ...plain } = json as unknown as Omit<DelegatedTask, 'declined'> & {
    readonly declined: readonly (readonly [string, boolean])[];
  };
  return { ...plain, declined: decodeMap(declined) };
}
