import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { EVERY_SPACE, type Journal } from '../../journal.js';
import { readRemoved } from '../../local/index.js';
import { opened as openedLocal } from '../../local/testing/open.js';
import type { StoredRecord } from '../../stored-record.js';
import {
  appended,
  collect,
  type NatsServers,
  sample,
  startNatsServers,
  TEST_ACCESS,
} from '../../testing/index.js';
import { opened } from '../testing/open.js';
import { copyFromNats } from './copy-from-nats.js';
import { copyToNats } from './copy-to-nats.js';

let servers: NatsServers;

beforeAll(async () => {
  servers = await startNatsServers();
});
afterAll(() => servers[Symbol.asyncDispose]());

const everything = (journal: Journal): Promise<StoredRecord[]> =>
  collect(journal.feed(EVERY_SPACE, 0, { follow: false }));

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-copy-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'journal');
}

it('I-3, I-6: a journal goes to NATS and back with every record, hash and seq, even after retention', async () => {
  const folder = await temporaryFolder();
  const local = await openedLocal(folder, {});
  const writing = Array.from({ length: 700 }, async (_, index) => {
    const stream = `${index % 3 === 0 ? 'main' : 'lab'}/proposal/${index}`;
    const time = index % 2 === 0 ? 1000 : 9000;
    const first = local.append(stream, 0, [sample(`a-${index}`, time)]);
    if (index % 5 === 0) appended(await local.append(stream, 1, [sample(`b-${index}`, time)]));
    appended(await first);
  });
  await Promise.all(writing);
  await local.compact({ before: 5000, keep: ({ stream }) => stream.endsWith('7') });
  // A removed stream that continues, and a removed last record.
  appended(await local.append('main/proposal/0', 2, [sample('again', 9000)]));
  appended(await local.append('main/proposal/last', 0, [sample('last', 1000)]));
  await local.compact({ before: 5000, keep: ({ stream }) => !stream.endsWith('last') });
  const before = await everything(local);
  const seq = await local.lastSeq(EVERY_SPACE);
  const options = { ...TEST_ACCESS, servers: servers.urls, stream: 'copied', replicas: 1 };
  const there = await copyToNats({ journal: local, removed: await readRemoved(folder) }, options);
  expect(there).toMatchObject({ ok: true, value: { records: before.length, seq } });

  const onNats = await opened(options);
  expect(await everything(onNats)).toEqual(before);
  expect(await onNats.verify()).toMatchObject({ records: before.length, faults: [] });
  expect(await onNats.lastSeq('main')).toBe(await local.lastSeq('main'));
  for (const stream of ['main/proposal/0', 'main/proposal/last', 'lab/proposal/2', 'lab/proposal/7'])
    expect(await onNats.head(stream)).toEqual(await local.head(stream));
  // The copy accepts appends.
  const [next] = appended(await onNats.append('lab/proposal/7', 1, [sample('next', 9000)]));
  expect(next?.seq).toBeGreaterThan(seq);
  expect((await copyToNats({ journal: local, removed: [] }, options)).ok).toBe(false);
  await local.close();

  const back = await temporaryFolder();
  const after = await everything(onNats);
  const returned = await copyFromNats(options, back);
  expect(returned).toMatchObject({ ok: true, value: { records: after.length, seq: next?.seq } });
  const again = await openedLocal(back, {});
  expect(await everything(again)).toEqual(after);
  expect(await again.verify()).toMatchObject({ records: after.length, faults: [] });
  expect(await again.lastSeq('main')).toBe(await onNats.lastSeq('main'));
  for (const stream of ['main/proposal/0', 'main/proposal/last', 'lab/proposal/2', 'lab/proposal/7'])
    expect(await again.head(stream)).toEqual(await onNats.head(stream));
  expect((await again.append('main/proposal/last', 0, [sample('taken')])).status).toBe('conflict');
  await again.close();
  await onNats.close();
  expect((await copyFromNats(options, back)).ok).toBe(false);
});
