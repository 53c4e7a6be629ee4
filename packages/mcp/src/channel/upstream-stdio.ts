import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { defined } from '@proffer/core/json';
import type { JsonRpcChannel } from './channel.js';
import { createLineSplitter, readLine } from './lines.js';

export interface StdioCommand {
  readonly command: string;
  readonly args: readonly string[];
  /**
   * Default: the environment of this process, as if the server had been started directly, without our
   * PROFFER_… variables.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

/** How long a server may take to exit on its own before it is asked to, and then killed, in milliseconds. */
const TIMEOUT = 2_000;

/** A server that is our child process. */
export interface UpstreamStdio extends JsonRpcChannel {
  /** Starts the server early, in parallel with other work. Opening the channel would start it too. */
  start(): void;
}

/** A started process and its result. */
interface Started {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** Rejects if it cannot be started. */
  readonly isThere: Promise<unknown>;
  readonly ending: Promise<readonly [code: number | null, signal: NodeJS.Signals | null]>;
}

/** A server that is started as a process and speaks over stdin and stdout. Its stderr goes to ours. */
export function createUpstreamStdio(server: StdioCommand): UpstreamStdio {
  const { command, args, env = foreignEnvironment(), cwd } = server;
  let started: Started | undefined;
  let isOver = false;

  function start(): Started {
    const child = spawn(command, args, {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
      windowsHide: true,
      ...defined({ cwd }),
    });
    const isThere = new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    const ending = new Promise<Awaited<Started['ending']>>((resolve) => {
      child.once('close', (code, signal) => resolve([code, signal]));
    });
    // Reported when the channel is opened, even if that is later.
    isThere.catch(() => {});
    // Writing to a server that is gone: `close` reports its end.
    child.stdin.on('error', () => {});
    return { child, isThere, ending };
  }

  return {
    start() {
      started ??= start();
    },
    async open({ onMessage, onClose, onDrain }) {
      started ??= start();
      const { child, isThere, ending } = started;
      const end = (cause?: Error): void => {
        if (isOver) return;
        isOver = true;
        onClose(cause);
      };
      const split = createLineSplitter((line) => {
        for (const { message, text } of readLine(line)) onMessage(message, text);
      });
      child.stdout.on('data', (chunk: Buffer) => {
        try {
          split(chunk);
        } catch (error) {
          child.kill();
          end(error instanceof Error ? error : new Error(String(error)));
        }
      });
      child.stdin.on('drain', onDrain);
      void ending.then(([code, signal]) => end(new Error(endingOf(command, code, signal))));
      await isThere;
      child.on('error', end);
    },
    send: (message, text = JSON.stringify(message)) =>
      isOver || started?.child.stdin.writable !== true || started.child.stdin.write(`${text}\n`),
    pause: () => void started?.child.stdout.pause(),
    resume: () => void started?.child.stdout.resume(),
    async close() {
      isOver = true;
      if (started !== undefined) await endProcess(started.child);
    },
  };
}

/** Tokens of the guard are not for the server that it guards. */
function foreignEnvironment(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^PROFFER_/i.test(name)));
}

function endingOf(command: string, code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null
    ? `The server (${command}) exited with code ${code}.`
    : `The server (${command}) was killed by ${signal}.`;
}

/** As MCP requires: close its input, then SIGTERM, then SIGKILL. */
async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const closed = once(child, 'close');
  child.stdin?.end();
  const asking = setTimeout(() => child.kill('SIGTERM'), TIMEOUT);
  const insisting = setTimeout(() => child.kill('SIGKILL'), 2 * TIMEOUT);
  await closed;
  clearTimeout(asking);
  clearTimeout(insisting);
}
