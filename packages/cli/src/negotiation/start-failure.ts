import { MacpError } from '@proffer/client/negotiation';
import { MAX_TTL_MS } from '@proffer/core/negotiation';
import { formatSpan, textOf } from '../terminal/visible.js';
import type { FailureWording } from './failures.js';
import { shortModes } from './mode-names.js';

/** What a command calls the fields of the message that starts a session. */
const OPTIONS: ReadonlyMap<unknown, string> = new Map([
  ['payload.intent', 'The intent'],
  ['payload.participants', '--participant'],
  ['payload.context_id', '--context'],
  ['payload.configuration_version', '--configuration'],
]);

/**
 * Explains that a session was not started.
 *
 * @param participants - the requested ones
 */
export function tellStart(error: unknown, participants: readonly string[]): FailureWording {
  if (!(error instanceof MacpError)) return { starting: true };
  const { field, found, expected } = error.details;
  if (field === 'mode') {
    const modes = shortModes().join(', ');
    return {
      starting: true,
      message: `No session was started: there is no mode ${textOf(found)}. The modes are ${modes}.`,
    };
  }
  if (field === 'payload.ttl_ms') {
    const most = formatSpan(MAX_TTL_MS);
    return {
      starting: true,
      message: `No session was started: --ttl is ${formatSpan(Number(found))}; it may be at most ${most}.`,
    };
  }
  const twice = participants.find((name, index) => participants.indexOf(name) !== index);
  if (field === 'payload.participants' && twice !== undefined) {
    const message = `No session was started: --participant ${JSON.stringify(twice)} is named twice.`;
    return { starting: true, message };
  }
  const option = OPTIONS.get(field);
  if (option === undefined) return { starting: true };
  const message = `No session was started: ${option} is ${textOf(found)}; expected ${textOf(expected)}.`;
  return { starting: true, message };
}
