import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { onExit, temporaryFolder } from '../../cleanup.js';
import { freePort } from '../../processes/free-port.js';
import { processorTime } from '../../processes/processor-time.js';
import type { Usage } from '../../processes/usage.js';

/** The MEW gateway in a separate process. */
export interface MewServer extends AsyncDisposable {
  readonly port: number;
  /** Absent if the system does not report it. */
  usage(): Promise<Pick<Usage, 'cpu'> | undefined>;
}

const SPACE = `space: { id: main, name: main }
participants: {}
defaults:
  capabilities: [{ kind: "*" }]
`;

/**
 * Starts the peer if PROFFER_BENCH_MEW holds its command: `mew` or its path, with arguments separated by
 * spaces. Everyone may do everything there, logging is minimal, and nothing is stored. Throws if it does not
 * respond within 30 seconds.
 */
export async function startMew(): Promise<MewServer | undefined> {
  const [command, ...words] = process.env['PROFFER_BENCH_MEW']?.split(' ').filter(Boolean) ?? [];
  if (command === undefined) return undefined;
  const folder = await temporaryFolder();
  const config = join(folder.path, 'space.yaml');
  await writeFile(config, SPACE);
  const port = await freePort();
  const args = ['gateway', 'start', '--port', String(port), '--space-config', config];
  const child = spawn(command, [...words, ...args, '--log-level', 'error', '--no-auto-start'], {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { ...process.env, GATEWAY_LOGGING: 'off' },
  });
  const forget = onExit(() => child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const server = {
    port,
    usage: () => processorTime(child.pid ?? 0),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
      forget();
      await folder[Symbol.asyncDispose]();
    },
  };
  try {
    await Promise.race([
      answers(port),
      exited.then(() =>
        Promise.reject(new Error(`${command} ended: PROFFER_BENCH_MEW is not the way to it`)),
      ),
    ]);
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
  return server;
}

async function answers(port: number): Promise<void> {
  for (const giveUp = performance.now() + 30_000; performance.now() < giveUp; ) {
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the MEW gateway did not answer within 30 s');
}
