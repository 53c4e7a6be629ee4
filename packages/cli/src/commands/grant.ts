import { allOf, describeBounds, describeCapability, describeGranted, type Voice } from '@proffer/core/words';
import { usageFailure } from '../command-failure.js';
import type { AddCommands } from '../command-families.js';
import {
  collect,
  countOption,
  durationOption,
  type EndpointOptions,
  withGuards,
} from '../command-options.js';
import { connect } from '../connection/connect.js';
import { sameOptions } from '../connection/endpoint.js';
import { grantMessage, revocationMessage } from '../connection/envelopes.js';
import { noteUnserved } from '../display/unserved-note.js';
import { meaningsOf, readTypedId } from '../proposals/find-proposal.js';
import { servedNow } from '../proposals/served.js';
import { printJson, type Shell, shellWord } from '../terminal/shell.js';
import { visible, visibleJson, voiceAt } from '../terminal/visible.js';

/** `proffer grant` and `revoke`: trust someone for a while. */
export const addGrant: AddCommands = (program, shell) => {
  withGuards(
    program
      .command('grant')
      .argument('[participant]', 'who may do it; without a name, lists the grants')
      .description('Grant someone capabilities that you have, for a while')
      .option('--tool <name>', 'a tool that they may call; may be repeated', collect)
      .option('--capability <pattern>', 'a capability, as in the configuration; may be repeated', collect)
      .option(
        '--for <duration>',
        'how long, such as 1h; without any bound, until they disconnect',
        durationOption,
      )
      .option('--uses <number>', 'how many calls the grant covers', countOption)
      .option(
        '--session <id>',
        'only for this session, as `show` prints it; lasts 12h unless --for or --uses is set',
      )
      .option('-r, --reason <reason>', 'why')
      .option('--json', 'print JSON'),
  ).action(async (to: string | undefined, options: GrantFlags) => await grant(to, options, shell));

  withGuards(
    program
      .command('revoke')
      .argument('<grant>', 'the id that grant printed')
      .description('Revoke a grant')
      .option('-r, --reason <reason>', 'why')
      .option('--json', 'print JSON'),
  ).action(async (id: string, options: RevokeOptions) => await revoke(id, options, shell));
};

/** Command-line options of `grant`. */
export interface GrantFlags extends EndpointOptions {
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
async function grant(to: string | undefined, options: GrantFlags, shell: Shell): Promise<void> {
  const connection = connect(options, shell, 'reviewer');
  const { tool = [], capability = [], for: ttl, uses, session, reason } = options;
  const asJson = options.json === true;
  if (to === undefined) {
    const grants = await connection.grants();
    if (asJson) printJson(grants, shell);
    else if (grants.length === 0) shell.print('Nothing is granted.');
    else shell.print(...grants.map((each) => describeGrant(each, voiceAt(shell.now()), shell.now())));
    return;
  }
  const capabilities = [...tool.map((name) => `mcp.request.tools/call:${name}`), ...capability];
  if (capabilities.length === 0)
    throw usageFailure('Say what this participant may do: --tool NAME or --capability PATTERN.', [
      `${shell.name} grant ${shellWord(to)} --tool write_file --uses 5`,
    ]);
  const sent = await connection.send(grantMessage(to, capabilities, { ttl, uses, session, reason }));
  if (asJson) {
    printJson(sent, shell);
    return;
  }
  const served = tool.some(isExact) ? await servedNow(connection.endpoint, 'tools') : undefined;
  const where = { space: connection.endpoint.space, style: shell.style };
  const notes = tool.filter(isExact).flatMap((name) => noteUnserved(name, served ?? [name], where));
  const voice = voiceAt(shell.now());
  // A session of an agent lasts at most half a day.
  const isOnlySession = session !== undefined && (ttl ?? uses) === undefined;
  const how = describeBounds({ for: isOnlySession ? 43_200_000 : ttl, uses, session }, voice);
  shell.print(
    `${visible(to)} may ${whatIn(capabilities, voice)} without asking: ${how}.`,
    shell.style.dim(
      `  to take it back:  ${shell.name} revoke ${visible(sent.id ?? '')}${visible(sameOptions(connection.endpoint))}`,
    ),
  );
  if (notes.length > 0) shell.tell(...notes);
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

/** Revokes a grant. A unique prefix of its id is enough (decision 0015). */
async function revoke(typed: string, options: RevokeOptions, shell: Shell): Promise<void> {
  const connection = connect(options, shell, 'reviewer');
  const id = await grantMeant(typed, connection, shell);
  const sent = await connection.send(revocationMessage(id, options.reason));
  if (options.json === true) printJson({ ...sent, grant: id }, shell);
  else shell.print(`Revoked ${visible(id)}.`);
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

function describeGrant(
  { id, granter, to, capabilities, until, left, session }: Listed,
  voice: Voice,
  now: number,
): string {
  const span = until === undefined ? undefined : until - now;
  const how = describeBounds({ for: span, uses: left, session }, voice);
  const may = `${visible(to)} may ${whatIn(capabilities, voice)} without asking: ${how}`;
  return `${visible(id)}  ${may} (granted by ${visible(granter)})`;
}

/** What is granted: the calls, or the patterns as they are written. */
function whatIn(capabilities: Listed['capabilities'], voice: Voice): string {
  return allOf(
    capabilities.map((each) => {
      const pattern = typeof each === 'string' ? visible(each) : visibleJson(each);
      return describeGranted(each, voice) ?? `${describeCapability(each)} (${pattern})`;
    }),
  );
}
