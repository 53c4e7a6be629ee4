import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Channel } from './channel.js';
import { createLineSplitter, readLine } from './lines.js';

export interface StdioCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Default that of this process, as if the server had been started instead of it, without what is ours: PROFFER_…. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

/** How long a server may take to end by itself before it is told to, and then made to, in milliseconds. */
const PATIENCE = 2_000;

/** A server that is started as a process and speaks over its standard input and output. Its errors go to ours. */
export function createStdioBack({ command, args, env = foreignEnvironment(), cwd }: StdioCommand): Channel {
  let child: ChildProcess | undefined;
  let isOver = false;
  return {
    async open({ onMessage, onClose, onDrain }) {
      const started = spawn(command, args, {
        env,
        stdio: ['pipe', 'pipe', 'inherit'],
        windowsHide: true,
        ...(cwd === undefined ? {} : { cwd }),
      });
      child = started;
      const end = (cause?: Error): void => {
        if (isOver) return;
        isOver = true;
        onClose(cause);
      };
      const split = createLineSplitter((line) => {
        for (const { message, text } of readLine(line)) onMessage(message, text);
      });
      started.stdout.on('data', (chunk: Buffer) => {
        try {
          split(chunk);
        } catch (error) {
          started.kill();
          end(error instanceof Error ? error : new Error(String(error)));
        }
      });
      started.stdin.on('drain', onDrain);
      // Writing to a server that is gone: its end is told by `close`.
      started.stdin.on('error', () => {});
      started.on('close', (code, signal) => end(new Error(endingOf(command, code, signal))));
      await new Promise<void>((resolve, reject) => {
        started.once('spawn', resolve);
        started.once('error', reject);
      });
      started.on('error', end);
    },
    send: (message, text = JSON.stringify(message)) =>
      isOver || child?.stdin?.writable !== true || child.stdin.write(`${text}\n`),
    pause: () => void child?.stdout?.pause(),
    resume: () => void child?.stdout?.resume(),
    async close() {
      isOver = true;
      if (child !== undefined) await endProcess(child);
    },
  };
}

/** Tokens of the guard are not for the server that it guards. */
function foreignEnvironment(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^PROFFER_/i.test(name)));
}

function endingOf(command: string, code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null
    ? `The server (${command}) ended with code ${code}.`
    : `The server (${command}) was ended by ${signal}.`;
}

/** As MCP asks for: close its input, then ask, then insist. */
async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const closed = once(child, 'close');
  child.stdin?.end();
  const asking = setTimeout(() => child.kill('SIGTERM'), PATIENCE);
  const insisting = setTimeout(() => child.kill('SIGKILL'), 2 * PATIENCE);
  await closed;
  clearTimeout(asking);
  clearTimeout(insisting);
}
