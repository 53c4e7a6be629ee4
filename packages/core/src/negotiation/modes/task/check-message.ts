import { quote } from '../../../json/describe.js';
import { type Refusal, refuse } from '../../../refusal/refusal.js';
import { refuseField } from '../../wire/refuse-field.js';
import type { Eligibility } from '../eligibility.js';
import { checkOutcome } from '../eligibility.js';
import type { DelegatedTask, TaskEnvelope } from './delegated-task.js';
import type { TaskAnswerPayload, TaskRequestPayload } from './payloads.js';
import type { TaskTerms } from './rules.js';

/** The rules of Task Mode for a valid message from an allowed sender (N-21, N-22): the refusal, or `undefined`. */
export function checkTaskMessage(
  delegated: DelegatedTask,
  terms: TaskTerms,
  message: TaskEnvelope,
): Refusal | undefined {
  const { sender } = message;
  switch (message.message_type) {
    case 'TaskRequest':
      return checkRequest(delegated, terms, message.payload);
    case 'TaskAccept':
      return (
        checkTask(delegated, message.payload) ??
        checkFree(delegated) ??
        checkNotDeclined(delegated, sender) ??
        checkNamed(message.payload, sender) ??
        checkEligible(delegated, terms, sender)
      );
    case 'TaskReject':
      return (
        checkTask(delegated, message.payload) ??
        checkDecliner(delegated, terms, sender) ??
        checkNotDeclined(delegated, sender) ??
        checkNamed(message.payload, sender)
      );
    case 'TaskUpdate':
      return checkTask(delegated, message.payload) ?? checkActive(delegated, sender);
    case 'TaskComplete':
    case 'TaskFail':
      return (
        checkTask(delegated, message.payload) ??
        checkActive(delegated, sender) ??
        checkNamed(message.payload, sender)
      );
    case 'Commitment':
      return checkOutcome(explainTask(delegated, terms, sender), message.payload);
  }
}

/** Which outcomes the rules allow now, and why not the others (N-22). A task that failed has no positive outcome. */
export function explainTask(delegated: DelegatedTask, terms: TaskTerms, committer: string): Eligibility {
  const { task, assignee, declined, report } = delegated;
  if (report !== undefined) {
    const reported = `${quote(assignee ?? '')} has reported that the task is ${report.result}.`;
    if (report.result === 'failed') return { committer, outcomes: ['negative'], reasons: [reported] };
    if (report.hasOutput || !terms.rules.completion.require_output) {
      return { committer, outcomes: ['positive', 'negative'], reasons: [reported] };
    }
    const reasons = [reported, 'The policy requires output for a positive outcome, and there is none.'];
    return { committer, outcomes: ['negative'], reasons };
  }
  if (task === undefined) return { committer, outcomes: [], reasons: ['No task has been requested.'] };
  if (assignee !== undefined) {
    const reason = `${quote(assignee)} has not reported that the task is completed or failed.`;
    return { committer, outcomes: [], reasons: [reason] };
  }
  const { requestedAssignee: named } = task;
  if (named !== '' && declined.get(named) === false) {
    const reason = `${quote(named)} has declined the task, and nobody else was asked.`;
    return { committer, outcomes: ['negative'], reasons: [reason] };
  }
  const isLeft = [...terms.participants].some(
    (name) => !declined.has(name) && isAsked(delegated, terms, name),
  );
  if (isLeft) return { committer, outcomes: [], reasons: ['Nobody has accepted the task.'] };
  return { committer, outcomes: ['negative'], reasons: ['Nobody is left who may accept the task.'] };
}

function checkRequest(
  { task }: DelegatedTask,
  { initiator, participants }: TaskTerms,
  { requested_assignee }: TaskRequestPayload,
): Refusal | undefined {
  if (task !== undefined) {
    const what = `The session already has the task ${quote(task.id)}; another task needs its own session.`;
    return refuse('INVALID_ENVELOPE', what, { field: 'message_type', found: 'TaskRequest' });
  }
  const isRequester = requested_assignee === initiator;
  if (requested_assignee === '' || (participants.has(requested_assignee) && !isRequester)) return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: 'payload.requested_assignee',
    found: `${quote(requested_assignee)}, which is ${isRequester ? 'the requester' : 'not a participant'}`,
    expected: 'another participant, or nothing to ask all of them',
  });
}

function checkTask({ task }: DelegatedTask, { task_id }: { readonly task_id: string }): Refusal | undefined {
  if (task?.id === task_id) return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: 'payload.task_id',
    found: quote(task_id),
    expected: task === undefined ? 'a task that was requested before' : quote(task.id),
  });
}

function checkFree({ assignee }: DelegatedTask): Refusal | undefined {
  if (assignee === undefined) return undefined;
  const what = `${quote(assignee)} has already accepted the task.`;
  return refuse('INVALID_ENVELOPE', what, { assignee });
}

function checkNotDeclined({ declined }: DelegatedTask, sender: string): Refusal | undefined {
  if (!declined.has(sender)) return undefined;
  const what = `${quote(sender)} has already declined the task.`;
  return refuse('INVALID_ENVELOPE', what, { field: 'sender', found: quote(sender) });
}

/** The payload repeats who sent it, or leaves it out. */
function checkNamed({ assignee }: Pick<TaskAnswerPayload, 'assignee'>, sender: string): Refusal | undefined {
  if (assignee === '' || assignee === sender) return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: 'payload.assignee',
    found: quote(assignee),
    expected: `the sender ${quote(sender)}, or nothing`,
  });
}

/** Whoever was asked may answer. */
function checkEligible(delegated: DelegatedTask, terms: TaskTerms, sender: string): Refusal | undefined {
  if (isAsked(delegated, terms, sender)) return undefined;
  const expected = isForAll(delegated)
    ? 'a participant other than the requester'
    : quote(delegated.task?.requestedAssignee ?? '');
  const what = `${quote(sender)} was not asked to do the task; expected ${expected}.`;
  return refuse('FORBIDDEN', what, { field: 'sender', found: quote(sender), expected });
}

/** Whether a participant was asked to do the task: never the requester. */
function isAsked(delegated: DelegatedTask, { initiator }: TaskTerms, name: string): boolean {
  return name !== initiator && (isForAll(delegated) || name === delegated.task?.requestedAssignee);
}

/** Whether the task is for everyone but the requester: nobody was named, or whoever was named has given it back. */
function isForAll({ task, declined }: DelegatedTask): boolean {
  const named = task?.requestedAssignee ?? '';
  return named === '' || declined.get(named) === true;
}

function checkDecliner(delegated: DelegatedTask, terms: TaskTerms, sender: string): Refusal | undefined {
  const { assignee } = delegated;
  if (assignee === undefined) return checkEligible(delegated, terms, sender);
  if (assignee !== sender) return checkFree(delegated);
  if (terms.rules.assignment.allow_reassignment_on_reject) return checkActive(delegated, sender);
  const reason = 'The policy does not let an assignee give the task back.';
  return refuse('POLICY_DENIED', reason, { reasons: [reason] });
}

function checkActive({ assignee, report }: DelegatedTask, sender: string): Refusal | undefined {
  if (assignee === sender && report === undefined) return undefined;
  const why =
    report !== undefined
      ? `The task is already reported as ${report.result}.`
      : assignee === undefined
        ? 'Nobody has accepted the task.'
        : `Only the assignee ${quote(assignee)} may send this.`;
  return refuse('FORBIDDEN', why, { field: 'sender', found: quote(sender), expected: assignee ?? 'nobody' });
}
