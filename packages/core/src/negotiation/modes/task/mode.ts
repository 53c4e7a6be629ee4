import { quote } from '../../../json/describe.js';
import { type Refusal, refuse } from '../../../refusal/refusal.js';
import { refuseField } from '../../wire/refuse-field.js';
import { checkSender, explainAuthority, namesTakingPart, takesPart } from '../authority.js';
import type { Mode } from '../mode.js';
import { checkTaskMessage, explainTask } from './check-message.js';
import {
  applyTaskMessage,
  type DelegatedTask,
  decodeDelegatedTask,
  encodeDelegatedTask,
  NO_TASK,
} from './delegated-task.js';
import { TASK_MODE, TASK_MODE_VERSION } from './name.js';
import { TASK_READERS, type TaskModePayloads } from './payloads.js';
import { TASK_POLICIES, type TaskRules, type TaskTerms } from './rules.js';
import { describeTaskMessage } from './words.js';

/** MACP's Task Mode (N-21, N-22): a requester gives one task to one assignee, and commits what it reports. */
export const taskMode: Mode<DelegatedTask, TaskModePayloads, TaskRules> = {
  descriptor: {
    mode: TASK_MODE,
    mode_version: TASK_MODE_VERSION,
    title: 'Task Mode',
    description: 'One task is requested, accepted and reported; the requester commits the result.',
    determinism_class: 'structural-only',
    participant_model: 'orchestrated',
    message_types: [
      'SessionStart',
      'TaskRequest',
      'TaskAccept',
      'TaskReject',
      'TaskUpdate',
      'TaskComplete',
      'TaskFail',
      'Commitment',
    ],
    terminal_message_types: ['Commitment'],
    schema_uris: {},
  },
  readers: TASK_READERS,
  policies: TASK_POLICIES,
  initial: NO_TASK,
  checkTerms,
  namesTakingPart,
  takesPart,
  // The requester need not be one of the participants.
  checkSender: (terms, envelope) =>
    envelope.message_type === 'TaskRequest'
      ? checkRequester(terms, envelope.sender)
      : checkSender(terms, envelope),
  check: checkTaskMessage,
  apply: (delegated, _terms, message) => applyTaskMessage(delegated, message),
  checkOpen: () => undefined,
  explain: (delegated, terms, committer) => explainAuthority(explainTask(delegated, terms, committer), terms),
  describe: describeTaskMessage,
  encode: encodeDelegatedTask,
  decode: decodeDelegatedTask,
};

/** A session in which nobody could do the task is not started. */
function checkTerms({ initiator, participants }: TaskTerms): Refusal | undefined {
  if ([...participants].some((name) => name !== initiator)) return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: 'payload.participants',
    found: `only the requester ${quote(initiator)}`,
    expected: 'at least one other participant, to do the task',
  });
}

function checkRequester({ initiator }: TaskTerms, sender: string): Refusal | undefined {
  if (sender === initiator) return undefined;
  const what = `${quote(sender)} may not request a task: only the initiator ${quote(initiator)} may.`;
  return refuse('FORBIDDEN', what, { field: 'sender', found: quote(sender), expected: initiator });
}
