import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { onExit } from '../../cleanup.js';
import { COMPANION_MAIN } from '../../entries.js';
import { processorTime } from '../../processes/processor-time.js';
import { READS } from '../servers/tools.js';
import { connectMcp, type McpClient } from './mcp-client.js';

/** A process started by an MCP client. Times are in milliseconds since its start. */
export interface Started extends AsyncDisposable {
  readonly client: McpClient;
  readonly initialized: number;
  readonly listed: number;
  /** CPU time in milliseconds until its tools were listed; 0 if the system does not report it. */
  readonly cpu: number;
  /** Calls a tool that the rules allow, and returns when it was answered. */
  call(): Promise<number>;
  /** Resident memory in MiB; 0 if the system does not report it. */
  rss(): Promise<number>;
}

/** The minimal server alone. */
export const BARE: readonly string[] = [COMPANION_MAIN, 'tools'];

/** A guard in front of it, started as users do, sharing a gateway with the other guards of the folder. */
export function guardIn(folder: string, ...options: readonly string[]): readonly string[] {
  const proffer = fileURLToPath(import.meta.resolve('@proffer/cli'));
  // A free port: the last port of this folder's gateway may be taken by now.
  const place = ['--data', folder, '--gateway-port', '0', ...options];
  return [proffer, 'guard', ...place, '--', process.execPath, ...BARE];
}

/** Starts a Node program and performs the handshake. */
export async function start(command: readonly string[]): Promise<Started> {
  const begin = performance.now();
  const child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'ignore'] });
  const forget = onExit(() => child.kill('SIGKILL'));
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
