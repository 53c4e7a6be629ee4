import { quote } from '@proffer/core/json';
import { folded } from '../folded.js';

/** The methods of MCP that a client may use, in all revisions. */
const KNOWN = [
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'roots/list',
  'sampling/createMessage',
  'elicitation/create',
  'subscriptions/listen',
  'tasks/list',
  'tasks/get',
  'tasks/result',
  'tasks/update',
  'tasks/cancel',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/message',
  'notifications/roots/list_changed',
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/tasks/status',
  'notifications/elicitation/complete',
  'notifications/subscriptions/acknowledged',
] as const;

const BY_FOLDED: ReadonlyMap<string, string> = new Map(KNOWN.map((method) => [folded(method), method]));

/**
 * What is wrong with the name of a method that a server might read as another one; `undefined` for a known one, and for
 * one that nobody knows.
 */
export function problemWithMethod(method: string): string | undefined {
  if (/\p{Cc}/u.test(method)) return 'The method contains control characters.';
  const known = BY_FOLDED.get(folded(method));
  if (known === undefined || known === method) return undefined;
  return `The method ${quote(method)} is spelled ${known}.`;
}
