import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePorts } from '@proffer/journal/testing';

const PROFFER = fileURLToPath(new URL('../../../cli/bin/proffer.js', import.meta.url));

/** A gateway in a separate process, as `proffer up` starts it: with the console and all companions. */
export interface GatewayProcess extends AsyncDisposable {
  readonly url: string;
  /** Suspends it: whatever is sent to it now waits. */
  freeze(): void;
  /** Kills it, as a power cut would. */
  kill(): Promise<void>;
  /** Restarts it, at the same address and with the same journal. */
  restart(): Promise<void>;
}

/** @param yaml - its configuration; without the listen addresses and the journal's folder */
export async function startGatewayProcess(yaml: string): Promise<GatewayProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-up-'));
  const config = join(folder, 'proffer.yaml');
  await writeFile(config, yaml);
  // Nobody else gets it while the gateway is killed.
  const [port = 0] = await freePorts(1);
  let running = await start(folder, config, port);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    running.child.kill(signal);
    await running.ended;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    freeze: () => void running.child.kill('SIGSTOP'),
    kill: () => end('SIGKILL'),
    async restart() {
      running = await start(folder, config, port);
    },
    async [Symbol.asyncDispose]() {
      await end('SIGTERM');
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Resolves when it serves the console. */
async function start(folder: string, config: string, port: number) {
  const place = ['--data', join(folder, 'data'), '--port', String(port), '--grpc-port', '0'];
  const args = ['up', '--config', config, ...place];
  const child = spawn(process.execPath, [PROFFER, ...args], {
    cwd: folder,
    // If it is killed, it leaves its own temporary files there.
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout }))
    if (line.includes(`http://127.0.0.1:${port}/console`)) break;
  child.stdout.resume();
  return { child, ended };
}
