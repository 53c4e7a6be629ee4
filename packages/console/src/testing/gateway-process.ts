import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

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
  let running = await start(folder, config, '0');
  const { url } = running;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    running.child.kill(signal);
    await running.ended;
  };
  return {
    url,
    freeze: () => void running.child.kill('SIGSTOP'),
    kill: () => end('SIGKILL'),
    async restart() {
      running = await start(folder, config, new URL(url).port);
    },
    async [Symbol.asyncDispose]() {
      await end('SIGTERM');
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function start(folder: string, config: string, port: string) {
  const args = ['up', '--config', config, '--data', join(folder, 'data'), '--port', port, '--grpc-port', '0'];
  const child = spawn(process.execPath, [PROFFER, ...args], {
    cwd: folder,
    // If it is killed, it leaves its own temporary files there.
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let url = '';
  for await (const line of createInterface({ input: child.stdout })) {
    [url = ''] = /http:\/\/127\.0\.0\.1:\d+(?=\/console)/.exec(line) ?? [];
    if (url !== '') break;
  }
  child.stdout.resume();
  return { child, ended, url };
}
