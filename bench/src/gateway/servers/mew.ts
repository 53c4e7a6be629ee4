import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { atEnd, temporaryFolder } from '../../cleanup.js';
import { freePort } from '../../processes/free-port.js';
import { processorTime } from '../../processes/processor-time.js';
import type { Usage } from '../../processes/usage.js';

/** The MEW gateway, as a process of its own. */
export interface MewServer extends AsyncDisposable {
  readonly port: number;
  /** Absent where the system does not tell. */
  usage(): Promise<Pick<Usage, 'cpu'> | undefined>;
}

const SPACE = `space: { id: main, name: main }
participants: {}
defaults:
  capabilities: [{ kind: "*" }]
`;

/**
 * Starts the peer if the variable PROFFER_BENCH_MEW has the command for it, which is `mew` or the way to
 * it, words parted by spaces. Everybody may do everything there, it logs as little as it can, and it
 * keeps nothing. Throws when it does not answer within half a minute.
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
  const forget = atEnd(() => child.kill('SIGKILL'));
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
