import { usageFailure } from '../command-failure.js';
import { connect } from '../connect.js';
import type { EndpointOptions } from '../connection/endpoint-options.js';
import { grantMessage, revocationMessage } from '../connection/envelopes.js';
import { sameOptions } from '../connection/gateway-url.js';
import { noteUnserved } from '../display/unserved-note.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { servedNow } from '../proposals/served.js';
import { meaningsOf, readTypedId } from '../proposals/typed-id.js';
import { printJson } from '../terminal/print-json.js';
import type { Shell } from '../terminal/shell.js';
import { shellWord } from '../terminal/shell-word.js';
import { formatSpan } from '../terminal/time.js';
import { visible, visibleJson } from '../terminal/visible.js';

/** Command-line options of `grant`. */
export interface GrantOptions extends EndpointOptions {
  readonly tool?: readonly string[];
  readonly capability?: readonly string[];
  /** Milliseconds. */
  readonly for?: number;
  readonly uses?: number;
  readonly session?: string;
  readonly reason?: string;
  readonly json?: boolean;
}

/** Grants someone a capability of your own; without a name, lists the grants in force (O-41). */
export async function grant(to: string | undefined, options: GrantOptions, shell: Shell): Promise<ExitCode> {
  const connection = connect(options, shell, 'reviewer');
  const { tool = [], capability = [], for: ttl, uses, session, reason } = options;
  const asJson = options.json === true;
  if (to === undefined) {
    const grants = await connection.grants();
    if (asJson) printJson(grants, shell);
    else if (grants.length === 0) shell.print('Nothing is granted.');
    else shell.print(...grants.map((each) => describeGrant(each, shell.now())));
    return EXIT.done;
  }
  const capabilities = [...tool.map((name) => `mcp.request.tools/call:${name}`), ...capability];
  if (capabilities.length === 0)
    throw usageFailure('Say what they may do: --tool NAME or --capability PATTERN.', [
      `${shell.name} grant ${shellWord(to)} --tool write_file --uses 5`,
    ]);
  const sent = await connection.send(grantMessage(to, capabilities, { ttl, uses, session, reason }));
  if (asJson) {
    printJson(sent, shell);
    return EXIT.done;
  }
  const bounds = [
    ...(ttl === undefined ? [] : [`for ${formatSpan(ttl)}`]),
    ...(uses === undefined ? [] : [uses === 1 ? 'once' : `${uses} times`]),
    ...(session === undefined ? [] : [`in the session ${visible(session)}`]),
    ...(session !== undefined && (ttl ?? uses) === undefined ? ['for up to 12h'] : []),
  ];
  const served = tool.some(isExact) ? await servedNow(connection.endpoint, 'tools') : undefined;
  const where = { space: connection.endpoint.space, style: shell.style };
  const notes = tool.filter(isExact).flatMap((name) => noteUnserved(name, served ?? [name], where));
  const how = bounds.length === 0 ? 'until they disconnect' : bounds.join(', ');
  shell.print(
    `${visible(to)} may send ${capabilities.map(visible).join(', ')}, ${how}.`,
    shell.style.dim(
      `  to take it back:  ${shell.name} revoke ${visible(sent.id ?? '')}${visible(sameOptions(connection.endpoint))}`,
    ),
  );
  if (notes.length > 0) shell.tell(...notes);
  return EXIT.done;
}

/** Whether a pattern matches exactly one tool. */
function isExact(pattern: string): boolean {
  return !pattern.includes('*');
}

/** Command-line options of `revoke`. */
export interface RevokeOptions extends EndpointOptions {
  readonly reason?: string;
  readonly json?: boolean;
}

/** Revokes a grant. A unique prefix of its id is enough (0025). */
export async function revoke(typed: string, options: RevokeOptions, shell: Shell): Promise<ExitCode> {
  const connection = connect(options, shell, 'reviewer');
  const id = await grantMeant(typed, connection, shell);
  const sent = await connection.send(revocationMessage(id, options.reason));
  if (options.json === true) printJson({ ...sent, grant: id }, shell);
  else shell.print(`Revoked ${visible(id)}.`);
  return EXIT.done;
}

/** The grant in force with this id or prefix. An unknown one may have ended: the gateway says so. */
async function grantMeant(
  typed: string,
  connection: ReturnType<typeof connect>,
  { name }: Shell,
): Promise<string> {
  const id = readTypedId(typed);
  const list = [`${name} grant${sameOptions(connection.endpoint)}   # lists them`];
  if (id.text === '') throw usageFailure('The id of the grant is empty.', list);
  const found = meaningsOf(
    id,
    (await connection.grants()).map((each) => each.id),
  );
  const [only = id.text] = found;
  if (found.length <= 1) return only;
  const several = `${found.length} grants begin with ${JSON.stringify(id.text)}. Type more of the id.`;
  throw usageFailure(several, list);
}

type Listed = Awaited<ReturnType<ReturnType<typeof connect>['grants']>>[number];

function describeGrant({ id, granter, to, capabilities, until, left, session }: Listed, now: number): string {
  const what = capabilities
    .map((each) => (typeof each === 'string' ? visible(each) : visibleJson(each)))
    .join(', ');
  const bounds = [
    ...(until === undefined ? [] : [`for ${formatSpan(until - now)}`]),
    ...(left === undefined ? [] : [`${left} left`]),
    ...(session === true ? ['until they disconnect'] : []),
    ...(typeof session === 'string' ? [`in the session ${visible(session)}`] : []),
  ];
  return `${visible(id)}  ${visible(granter)} lets ${visible(to)} send ${what}: ${bounds.join(', ')}`;
}
