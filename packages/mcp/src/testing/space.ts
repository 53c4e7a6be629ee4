import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Participant } from '@proffer/client';
import { freePort } from './free-port.js';
import { serveSpace } from './serve-space.js';

/** A real gateway in dev mode with a journal in a new folder. */
export interface TestSpace extends AsyncDisposable {
  readonly url: string;
  /** The folder of the journal, and for files that a test writes. */
  readonly folder: string;
  /** Connects as a participant; tokens equal names. */
  join(name: string): Promise<Participant>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function startSpace(yaml = 'dev: true'): Promise<TestSpace> {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-mcp-'));
  // Nobody else gets it while the gateway is stopped.
  const port = await freePort();
  let stop: () => Promise<void> = async () => {};
  async function start(): Promise<void> {
    const gateway = await serveSpace({ journal: join(folder, 'journal'), port, yaml });
    stop = () => gateway.close();
  }
  await start();
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    folder,
    start,
    stop: () => stop(),
    join: (name) => connect({ url, token: name, space: 'main', retry: { delay: 20, maxDelay: 100 } }),
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
