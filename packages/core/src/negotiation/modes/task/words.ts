import type { EnvelopeOf } from '../../wire/macp-envelope.js';
import type { MessageWords } from '../message-words.js';
import type { TaskModePayloads } from './payloads.js';

/** Describes the messages of Task Mode. */
export function describeTaskMessage({ message_type, payload }: EnvelopeOf<TaskModePayloads>): MessageWords {
  const { task_id: id } = payload;
  switch (message_type) {
    case 'TaskRequest': {
      const { requested_assignee: whom, title, instructions } = payload;
      const about = whom === '' ? id : `${id} from ${whom}`;
      return { verb: 'requests', about, said: textOf([title, instructions]), tone: 'plain' };
    }
    case 'TaskAccept':
      return { verb: 'accepts', about: id, said: payload.reason, tone: 'good' };
    case 'TaskReject':
      return { verb: 'declines', about: id, said: payload.reason, tone: 'bad' };
    case 'TaskUpdate': {
      const { status, progress, message } = payload;
      const share = progress > 0 && progress <= 1 ? `${Math.round(progress * 100)} %` : '';
      return { verb: 'works on', about: id, said: textOf([share, status, message]), tone: 'plain' };
    }
    case 'TaskComplete':
      return { verb: 'completes', about: id, said: payload.summary, tone: 'good' };
    case 'TaskFail': {
      const { error_code, reason, retryable } = payload;
      const again = retryable ? 'A retry may help.' : '';
      return { verb: 'fails', about: id, said: textOf([error_code, reason, again]), tone: 'bad' };
    }
  }
}

function textOf(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(': ');
}
