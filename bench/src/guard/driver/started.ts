import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../../cleanup.js';
import { COMPANION_MAIN } from '../../entries.js';
import { processorTime } from '../../processes/processor-time.js';
import { READS } from '../servers/tools.js';
import { connectMcp, type McpClient } from './mcp-client.js';

/** A process that an MCP client started. Times in milliseconds since then. */
export interface Started extends AsyncDisposable {
  readonly client: McpClient;
  readonly initialized: number;
  readonly listed: number;
  /** Processor time that it had used when its tools were listed, in milliseconds; 0 where the system does not tell. */
  readonly cpu: number;
  /** Calls a tool that the rules allow, and gives the time at which it was answered. */
  call(): Promise<number>;
  /** Memory that it holds, in MiB; 0 where the system does not tell. */
  rss(): Promise<number>;
}

/** The least server, by itself. */
export const BARE: readonly string[] = [COMPANION_MAIN, 'tools'];

/** A guard in front of it as a user starts it, which shares a gateway with others of the same folder. */
export function guardIn(folder: string, ...options: readonly string[]): readonly string[] {
  const proffer = fileURLToPath(import.meta.resolve('@proffer/cli'));
  // Of the ports that nobody else has: the one that a gateway in this folder had last may be taken by now.
  const place = ['--data', folder, '--gateway-port', '0', ...options];
  return [proffer, 'guard', ...place, '--', process.execPath, ...BARE];
}

/** Starts a program of Node, and shakes hands with it. */
export async function start(command: readonly string[]): Promise<Started> {
  const begin = performance.now();
  const child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'ignore'] });
  const forget = atEnd(() => child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const pid = child.pid ?? 0;
  let initialized = Number.NaN;
  const client = await connectMcp({ input: child.stdin, output: child.stdout }, () => {
    initialized = performance.now() - begin;
  });
  const listed = performance.now() - begin;
  const { cpu = 0 } = (await processorTime(pid)) ?? {};
  return {
    client,
    initialized,
    listed,
    cpu: cpu / 1000,
    async call() {
      await client.call(READS, { path: '/notes/today.txt' });
      return performance.now() - begin;
    },
    async rss() {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
      forget();
    },
  };
}
