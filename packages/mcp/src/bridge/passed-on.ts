/** Requests other than tool calls that a bridge passes on: they only read. */
const PASSED_ON: readonly string[] = [
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'ping',
];

const OWN = 'The bridge keeps the connection to its server itself';
const NEWS = 'It would make the server send notifications, which a bridge does not pass on';
const TASKS = 'Calls through a bridge make no tasks: the answer to tools/call is the result';
const TOWARDS_CLIENTS = 'Servers send it to clients, and a bridge has only a server';

/** MCP requests that are not for the server, by method or by prefix. */
const REASONS: readonly (readonly [string, string])[] = [
  ['initialize', OWN],
  ['server/discover', OWN],
  ['resources/subscribe', NEWS],
  ['resources/unsubscribe', NEWS],
  ['subscriptions/', NEWS],
  ['logging/', NEWS],
  ['tasks/', TASKS],
  ['sampling/', TOWARDS_CLIENTS],
  ['elicitation/', TOWARDS_CLIENTS],
  ['roots/', TOWARDS_CLIENTS],
];

/**
 * Why a bridge does not pass a request on to its server, and what it does pass on; `undefined` if it passes
 * it on.
 */
export function whyNotPassedOn(method: string): string | undefined {
  if (PASSED_ON.includes(method)) return undefined;
  const reason = REASONS.find(([name]) => (name.endsWith('/') ? method.startsWith(name) : method === name));
  const why = reason === undefined ? '' : ` ${reason[1]}.`;
  return `A bridge does not pass on ${method}.${why} It answers tools/call, tools/list, ${PASSED_ON.join(', ')}.`;
}
