import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Participant } from '@proffer/client';
import { parseConfig, startGateway } from '@proffer/gateway';
import { openLocalJournal } from '@proffer/journal';
import { pino } from 'pino';

/** A real gateway in dev mode with a journal in a folder of its own. */
export interface TestSpace extends AsyncDisposable {
  readonly url: string;
  /** Of the journal, and room for what a test writes. */
  readonly folder: string;
  /** Connects as a participant, whose token is its name. */
  join(name: string): Promise<Participant>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function startSpace(yaml = 'dev: true'): Promise<TestSpace> {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-mcp-'));
  const { config, problems } = parseConfig(yaml, { file: 'test.yaml' });
  if (config === undefined) throw new Error(JSON.stringify(problems));
  let port = 0;
  let stop: () => Promise<void> = async () => {};
  async function start(): Promise<void> {
    const journal = await openLocalJournal(join(folder, 'journal'));
    if (!journal.ok) throw new Error(journal.refusal.message);
    const listen = { http: { host: '127.0.0.1', port }, allowInsecure: false };
    const started = await startGateway({
      config: { ...(config as NonNullable<typeof config>), listen },
      log: pino({ level: 'silent' }),
      journal: journal.value,
    });
    if (!started.ok) throw new Error(started.refusal.message);
    port = started.value.address.port;
    stop = () => started.value.close();
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
      await rm(folder, { recursive: true, force: true });
    },
  };
}
