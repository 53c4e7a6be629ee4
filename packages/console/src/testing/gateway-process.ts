import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROFFER = fileURLToPath(new URL('../../../cli/bin/proffer.js', import.meta.url));

/** A gateway in a process of its own, as `proffer up` starts it: with the console and everything that runs beside it. */
export interface GatewayProcess extends AsyncDisposable {
  readonly url: string;
}

/** @param yaml - its configuration; the addresses to listen on and the journal's folder are not taken from it */
export async function startGatewayProcess(yaml: string): Promise<GatewayProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-up-'));
  const config = join(folder, 'proffer.yaml');
  await writeFile(config, yaml);
  const args = ['up', '--config', config, '--data', join(folder, 'data'), '--port', '0', '--grpc-port', '0'];
  const child = spawn(process.execPath, [PROFFER, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let url = '';
  for await (const line of createInterface({ input: child.stdout })) {
    [url = ''] = /http:\/\/127\.0\.0\.1:\d+(?=\/console)/.exec(line) ?? [];
    if (url !== '') break;
  }
  child.stdout.resume();
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
