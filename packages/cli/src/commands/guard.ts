import { readFileSync } from 'node:fs';
import {
  type Channel,
  createHttpBack,
  createLanes,
  createParamHeaders,
  createPinFile,
  createProposalArchive,
  createStdioBack,
  createStdioFront,
  Guard,
  type HttpFrontOptions,
  type Recorded,
  serverNameFrom,
  serverNameFromUrl,
  startHttpFront,
} from '@proffer/mcp';
import { decideByRules, defaultRules, parseRules, type RuleSet } from '@proffer/steward';
import { type Command, Option } from 'commander';
import { CommandFailure, usageFailure } from '../command-failure.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { cannotStart } from '../guard/cannot-start.js';
import { enterPlace, type Place, type PlaceOptions } from '../guard/place.js';
import { withPlace } from '../guard/place-options.js';
import { watchServer } from '../guard/watched-server.js';
import { collect, durationOption, portOption } from '../option-values.js';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';
import { stopSignal } from '../up/stop-signal.js';

interface GuardCommandOptions extends PlaceOptions {
  readonly name?: string;
  readonly rules?: string;
  readonly ttl?: number;
  readonly hold?: number;
  readonly window?: number;
  readonly http?: number;
  readonly httpToken?: readonly string[];
  readonly record: Recorded;
  readonly serverUrl?: string;
  readonly header?: readonly string[];
}

/** `proffer guard -- COMMAND…`: approval in front of an MCP server, with neither it nor its client changed. */
export function addGuard(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withPlace(
    program
      .command('guard')
      .argument('[command...]', 'the command that starts the server, after --')
      .description('Put approval in front of an MCP server')
      .option('--http <port>', 'serve clients over Streamable HTTP on this machine, not stdio', portOption)
      .option(
        '--http-token <token>',
        'with --http: what a client must send as a bearer token; may be repeated, for one each',
        collect,
      )
      .option('--server-url <url>', 'a server that is reached over Streamable HTTP, instead of a command')
      .option('--header <name=value>', 'with --server-url: a header to send; may be repeated', collect)
      .option(
        '--rules <file>',
        'what may run, what is asked, what is denied (default: what only reads may run)',
      )
      .option('--ttl <duration>', 'how long a call may wait for a decision (default 1h)', durationOption)
      .option(
        '--hold <duration>',
        'how long a client without progress is kept waiting (default 50s)',
        durationOption,
      )
      .option(
        '--window <duration>',
        'how long a caller that went away may come back (default 2m)',
        durationOption,
      )
      .addOption(
        new Option('--record <which>', 'which decisions of the rules go into the history')
          .choices(['all', 'denials'])
          .default('all'),
      ),
  )
    .addHelpText(
      'after',
      `
Example, as the command of an MCP client:
  ${shell.name} guard -- npx -y @modelcontextprotocol/server-filesystem ~/notes

The standard output belongs to MCP. Where to approve is said on the standard
error.`,
    )
    .action(async (command: readonly string[], options: GuardCommandOptions) => {
      await guard(command, options, shell);
      done(EXIT.done);
    });
}

async function guard(command: readonly string[], options: GuardCommandOptions, shell: Shell): Promise<void> {
  const target = serverBehind(command, options, shell);
  const stopped = stopSignal();
  const rules = options.rules === undefined ? defaultRules() : readRules(options.rules);
  const server = options.name ?? target.name;
  const place = await enterPlace(options, server, shell);
  const log = (line: string): void => shell.tell(`proffer guard: ${visible(line)}`);
  try {
    const guarding = await startGuard(place, { server, rules, options, log });
    const onReady = (): void => {
      log(`${server} is guarded, as ${place.participant.name}. Rules: ${rules.source}.`);
      log(`to approve, in a terminal:  ${place.inbox}`);
    };
    const { http: port, httpToken: tokens } = options;
    try {
      if (port === undefined) await serveStdio(guarding, target, { shell, stopped, onReady });
      else
        await serveHttp(guarding, target, {
          port,
          stopped,
          log,
          onReady,
          ...(tokens === undefined ? {} : { tokens }),
        });
    } finally {
      await guarding.close();
    }
  } finally {
    await place.participant.close();
    await place.close();
  }
}

/** The server that is guarded: a short name for it, and how to reach it. */
interface Target {
  readonly name: string;
  readonly open: () => Channel;
  /** Whether each connection to it is a process. */
  readonly isProcess: boolean;
}

function serverBehind(command: readonly string[], options: GuardCommandOptions, shell: Shell): Target {
  const { serverUrl, header = [] } = options;
  const [program, ...args] = command;
  if ((program === undefined) === (serverUrl === undefined)) {
    throw usageFailure('Which server? Either its command, after --, or --server-url.', [
      `${shell.name} guard -- npx -y SERVER`,
    ]);
  }
  if (program !== undefined) {
    return {
      name: serverNameFrom(command),
      open: () => createStdioBack({ command: program, args }),
      isProcess: true,
    };
  }
  const url = URL.canParse(serverUrl ?? '') ? new URL(serverUrl ?? '') : undefined;
  if (url === undefined) throw usageFailure(`${JSON.stringify(serverUrl)} is not the address of a server.`);
  const server = { url, headers: Object.fromEntries(header.map(parseHeader)), params: createParamHeaders() };
  return { name: serverNameFromUrl(url), open: () => createHttpBack(server), isProcess: false };
}

function parseHeader(text: string): readonly [string, string] {
  const [, name, value] = /^([\w-]+)=(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw usageFailure(`${JSON.stringify(text)} is not a header.`, ['--header authorization="Bearer …"']);
  }
  return [name, value];
}

async function startGuard(
  place: Place,
  about: {
    readonly server: string;
    readonly rules: RuleSet;
    readonly options: GuardCommandOptions;
    readonly log: (line: string) => void;
  },
): Promise<Guard> {
  const { server, rules, log } = about;
  const { ttl, hold, window, record } = about.options;
  const { participant, folder } = place;
  participant.on('error', (error) => log(error instanceof Error ? error.message : String(error)));
  return await Guard.start({
    participant,
    archive: createProposalArchive(place.access),
    pins: createPinFile(folder.pinFile(server)),
    server,
    decide: (call) => decideByRules(rules, call),
    recorded: record,
    log,
    ...(ttl === undefined ? {} : { ttl }),
    ...(hold === undefined ? {} : { holdFor: hold }),
    ...(window === undefined ? {} : { window }),
  });
}

/** How long a server must have run before it is said to be guarded, in milliseconds. */
const SETTLING = 1_000;

async function serveStdio(
  guarding: Guard,
  { name, open }: Target,
  {
    shell,
    stopped,
    onReady,
  }: { readonly shell: Shell; readonly stopped: Promise<void>; readonly onReady: () => void },
): Promise<void> {
  const { channel, failure } = watchServer(open());
  let connection: Awaited<ReturnType<Guard['connect']>>;
  try {
    connection = await guarding.connect(createStdioFront(shell.stdin, shell.stdout), channel);
  } catch (error) {
    throw cannotStart(name, error);
  }
  // One that cannot run at all ends at once.
  const settling = setTimeout(onReady, SETTLING);
  await Promise.race([connection.closed, stopped]);
  clearTimeout(settling);
  const cause = failure();
  if (cause === undefined) return;
  const message = `${cause.message.replace(/\.$/, '')} before it answered.`;
  throw new CommandFailure({ exit: EXIT.refused, code: 'cannot_start', message }, cause);
}

async function serveHttp(
  guarding: Guard,
  { open, isProcess }: Target,
  {
    stopped,
    onReady,
    ...about
  }: Pick<HttpFrontOptions, 'port' | 'log' | 'tokens'> & {
    readonly stopped: Promise<void>;
    readonly onReady: () => void;
  },
): Promise<void> {
  // Without sessions there is nothing to keep apart: one process serves all.
  const lanes = isProcess ? createLanes(open) : undefined;
  const openExchange = () => lanes?.lane() ?? open();
  const front = await startHttpFront({ guard: guarding, openSession: open, openExchange, ...about }).catch(
    (error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      const message = `Clients cannot be served on port ${about.port}: ${why}.`;
      const next = ['--http 0 takes any port that is free.'];
      throw new CommandFailure({ exit: EXIT.refused, code: 'cannot_listen', message, next }, error);
    },
  );
  onReady();
  about.log(`clients reach it at ${front.url}`);
  await stopped;
  await front.close();
  await lanes?.close();
}

function readRules(file: string): RuleSet {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw usageFailure(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = parseRules(text, file);
  if (parsed.ok) return parsed.value;
  const { code, message, details } = parsed.refusal;
  throw new CommandFailure({ exit: EXIT.usage, code, message, details });
}
