import { MacpError } from '@proffer/client';
import { textOf } from '../terminal/visible.js';
import type { Telling } from './failures.js';

/** What a command calls the fields of the message that starts a session. */
const OPTIONS: ReadonlyMap<unknown, string> = new Map([
  ['payload.intent', 'The intent'],
  ['payload.participants', '--participant'],
  ['payload.ttl_ms', '--ttl, in milliseconds,'],
  ['payload.context_id', '--context'],
  ['payload.configuration_version', '--configuration'],
]);

/** How it is told that a session was not started. */
export function tellStart(error: unknown): Telling {
  if (!(error instanceof MacpError)) return { starting: true };
  const { field, found, expected } = error.details;
  const option = OPTIONS.get(field);
  if (option === undefined) return { starting: true };
  const message = `No session was started: ${option} is ${textOf(found)}; expected is ${textOf(expected)}.`;
  return { starting: true, message };
}
