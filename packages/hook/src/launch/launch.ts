import { mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { watchingSince } from '@proffer/client/machine';
import { defined } from '@proffer/core/json';
import { DEFAULT_WAIT, MAX_BYTES, socketIn, VERSION_VARIABLES } from './protocol.js';
import { type HookOutput, NO_OPINION, undecidedAnswer, type WhenUnavailable } from './undecided.js';
import { whenAgentEnds } from './when-agent-ends.js';

export { TRIED_EVENT } from './protocol.js';

/** How long the resident process may take to start, in milliseconds, and how often to check for it. */
const STARTING = 15_000;
const STEP = 25;
/** How much later than the resident process the launcher gives up, in milliseconds. */
const MARGIN = 3_000;
/** How long an agent is held up at most where Proffer only watches, in milliseconds. */
const WATCHING = 2_000;
/** How much of a variable is passed on, in characters: versions are short. */
const LONGEST_VERSION = 200;

export interface LaunchOptions {
  readonly asked: LaunchArguments;
  /** The guards' folder. */
  readonly folder: string;
  /** The command that starts the resident process. */
  readonly serve: readonly string[];
  /** The bytes of the event; default standard input. */
  readonly input?: Buffer;
}

/**
 * Passes an event to the resident process, starting it if needed, and settles with the answer.
 * Without an answer it settles with "no one decided", well before the agent gives up. Where Proffer only watches, it soon
 * settles without an opinion (O-50).
 */
export async function launch(options: LaunchOptions): Promise<HookOutput> {
  if (watchingSince(options.folder) === undefined) return await ask(options);
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<HookOutput>((resolve) => {
    timer = setTimeout(() => resolve(NO_OPINION), WATCHING);
  });
  try {
    return await Promise.race([ask(options), enough]);
  } finally {
    clearTimeout(timer);
  }
}

async function ask({ asked, folder, serve, input }: LaunchOptions): Promise<HookOutput> {
  const { agent, event, wait, otherwise } = asked;
  let bytes: Buffer = Buffer.alloc(0);
  // Whoever only watches is not in the agent's way (O-50).
  const undecided = (reason: string): HookOutput =>
    watchingSince(folder) === undefined
      ? undecidedAnswer({ agent, event: eventIn(bytes, event), tool: toolIn(bytes), reason, otherwise })
      : NO_OPINION;
  try {
    bytes = input ?? readFileSync(0);
    if (bytes.length > MAX_BYTES) return undecided('This call is too large for Proffer to check.');
    const socket = await reach(folder, serve);
    if (event === STARTING_EVENT) {
      socket.destroy();
      return { stdout: '', exitCode: 0 };
    }
    const header = JSON.stringify({
      agent,
      event,
      wait,
      otherwise,
      length: bytes.length,
      env: reportedVersion(),
      parent: process.ppid,
    });
    return (await exchange(socket, header, bytes, wait + MARGIN)) ?? undecided(NO_ANSWER);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return undecided(`Proffer could not be asked: ${why}`);
  }
}

/** What the agent put into our environment about its version. */
function reportedVersion(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    VERSION_VARIABLES.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value.slice(0, LONGEST_VERSION)]];
    }),
  );
}

/** Asks nothing: it only ensures that the process is running. */
const STARTING_EVENT = 'SessionStart';

const NO_ANSWER = 'Proffer stopped, or did not answer in time.';

/** Runs as a hook command: writes the answer and exits. */
export async function launchAndExit(options: LaunchOptions): Promise<void> {
  // No one reads the answer any more: the call must not stay in an inbox.
  whenAgentEnds(() => process.exit(2));
  const { stdout, exitCode } = await launch(options);
  writeWhole(stdout);
  process.exit(exitCode);
}

/** Without a stream, which would have to be loaded. A slow reader may fill the pipe. */
function writeWhole(text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}

async function reach(folder: string, serve: readonly string[]): Promise<Socket> {
  const path = socketIn(folder);
  const first = await connectTo(path);
  if (typeof first !== 'string') return first;
  const [program = '', ...args] = serve;
  // Rarely needed, while every call would pay for loading it.
  const { spawn } = await import('node:child_process');
  mkdirSync(`${folder}/hook`, { recursive: true, mode: 0o700 });
  const log = openSync(`${folder}/hook/resident.log`, 'a', 0o600);
  // With the agent's folder as working directory, that folder could not be removed.
  const resident = spawn(program, args, {
    detached: true,
    stdio: ['ignore', log, log],
    windowsHide: true,
    cwd: folder,
  });
  let failure: Error | undefined;
  resident.once('error', (error) => {
    failure = error;
  });
  resident.unref();
  const until = Date.now() + STARTING;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, STEP));
    const socket = await connectTo(path);
    if (typeof socket !== 'string') return socket;
    if (failure !== undefined) throw failure;
    if (Date.now() > until) throw new Error(`Proffer did not start (${socket}).`);
  }
}

/** A connection, or why there is none. */
function connectTo(path: string): Promise<Socket | string> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
}

/** Sends an event; settles with the answer, or with nothing if the connection ends or times out. */
function exchange(
  socket: Socket,
  header: string,
  bytes: Buffer,
  patience: number,
): Promise<HookOutput | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const timer = setTimeout(() => socket.destroy(), patience);
    socket.on('error', () => socket.destroy());
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(readAnswer(Buffer.concat(parts).toString('utf8')));
    });
    socket.write(`${header}\n`);
    socket.write(bytes);
  });
}

function readAnswer(text: string): HookOutput | undefined {
  try {
    const { stdout, exitCode } = JSON.parse(text) as Partial<HookOutput>;
    return typeof stdout === 'string' && typeof exitCode === 'number' ? { stdout, exitCode } : undefined;
  } catch {
    return undefined;
  }
}

/** The event's own name; agents that do not include it have it in the command. */
function eventIn(bytes: Buffer, event: string): string {
  return event === '' ? (textIn(bytes, 'hook_event_name') ?? '') : event;
}

function toolIn(bytes: Buffer): string {
  return textIn(bytes, 'tool_name') ?? textIn(bytes, 'toolName') ?? '';
}

function textIn(bytes: Buffer, name: string): string | undefined {
  try {
    const event: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof event !== 'object' || event === null) return undefined;
    const value = (event as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The arguments of a hook command. */
export interface LaunchArguments {
  readonly agent: string;
  readonly event: string;
  readonly wait: number;
  readonly otherwise: WhenUnavailable;
  /** The guards' folder, if not the default. */
  readonly data?: string;
}

/**
 * Parses `AGENT EVENT [--wait SECONDS] [--otherwise ask|deny] [--data FOLDER]`. Errors fall back to
 * the stricter value: there is no one to report them to.
 */
export function readArguments([agent = '', event = '', ...options]: readonly string[]): LaunchArguments {
  const value = (name: string): string | undefined => {
    const at = options.indexOf(name);
    return at === -1 ? undefined : options[at + 1];
  };
  const seconds = Number(value('--wait') ?? DEFAULT_WAIT / 1_000);
  const data = value('--data');
  return {
    agent,
    event,
    wait: Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 1_000,
    otherwise: (value('--otherwise') ?? 'ask') === 'ask' ? 'ask' : 'deny',
    ...defined({ data }),
  };
}
