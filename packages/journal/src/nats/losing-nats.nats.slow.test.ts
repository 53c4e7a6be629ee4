import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JournalEvent } from '../journal.js';
import type { StoredRecord } from '../stored-record.js';
import { appended, collect, type NatsServers, sample, startNatsServers, texts } from '../testing/index.js';
import { opened } from './testing/open.js';
import { startProxy } from './testing/proxy.js';

let shared: NatsServers;

beforeAll(async () => {
  shared = await startNatsServers();
});
afterAll(() => shared[Symbol.asyncDispose]());

it('I-1, I-2: an append whose answer is lost is settled when NATS is back, and exists once', async () => {
  await using proxy = await startProxy(shared.urls[0] ?? '');
  const journal = await opened({ servers: [proxy.url], stream: 'lost-answer', replicas: 1 });
  const other = await opened({ servers: shared.urls, stream: 'lost-answer', replicas: 1 });
  appended(await journal.append('main/proposal/1', 0, [sample('proposed')]));
  const received = collect(other.feed('main', 1), 2);
  proxy.mute();
  const pending = journal.append('main/proposal/1', 1, [sample('fulfilled'), sample('told')]);
  // It is written, and only the writer does not know.
  const records = await received;
  proxy.cut();
  expect(appended(await pending)).toEqual(records);
  expect(texts(await collect(other.read('main/proposal/1')))).toEqual(['proposed', 'fulfilled', 'told']);
  expect(await other.verify()).toMatchObject({ records: 3, faults: [] });
  await journal.close();
  await other.close();
});

it('I-2: an append whose answer is lost conflicts if it was not written and another was first', async () => {
  await using proxy = await startProxy(shared.urls[0] ?? '');
  const journal = await opened({ servers: [proxy.url], stream: 'overtaken', replicas: 1 });
  const other = await opened({ servers: shared.urls, stream: 'overtaken', replicas: 1 });
  proxy.mute();
  const [winner] = appended(await other.append('main/proposal/1', 0, [sample('winner')]));
  const lost = journal.append('main/proposal/1', 0, [sample('loser')]);
  const alone = journal.append('main/proposal/2', 0, [sample('alone')]);
  proxy.cut();
  expect(await lost).toEqual({
    status: 'conflict',
    head: { stream: 'main/proposal/1', version: 1, hash: winner?.hash },
  });
  expect(appended(await alone)).toHaveLength(1);
  expect(texts(await collect(other.read('main/proposal/1')))).toEqual(['winner']);
  await journal.close();
  await other.close();
});

it('I-1, I-6: refuses appends without NATS, reports it, and recovers by itself without a gap', async () => {
  await using own = await startNatsServers();
  const [server] = own.servers;
  const journal = await opened({ servers: own.urls, replicas: 1, patience: 500 });
  const told: JournalEvent['type'][] = [];
  const eventOf = (type: JournalEvent['type']): Promise<void> =>
    new Promise((resolve) =>
      journal.watch((event) => {
        if (event.type === type) resolve();
      }),
    );
  journal.watch(({ type }) => told.push(type));
  const seen: StoredRecord[] = [];
  const following = collect(journal.feed('main', 0), 4).then((records) => seen.push(...records));
  appended(await journal.append('main/proposal/1', 0, [sample('before')]));
  const failing = eventOf('failing');
  await server?.stop();
  const waits = journal.append('main/proposal/2', 0, [sample('waits')]);
  await failing;
  const refused = await journal.append('main/proposal/3', 0, [sample('refused')]);
  expect(refused).toMatchObject({ status: 'unavailable', refusal: { code: 'unavailable' } });
  expect(await journal.lastSeq('main')).toBe(1);
  // Somebody has seen more, at another gateway.
  await expect(journal.lastSeq('main', 2)).rejects.toMatchObject({ refusal: { code: 'unavailable' } });
  const recovered = eventOf('recovered');
  await server?.start();
  await recovered;
  // An append that may have been sent waits until that is certain; an unsent one is refused.
  expect((await waits).status).toMatch(/appended|unavailable/);
  expect(told).toEqual(expect.arrayContaining(['failing', 'write_failed', 'recovered']));
  const names = ['before', ...((await waits).status === 'appended' ? ['waits'] : [])];
  for (let count = names.length; count < 4; count++) {
    appended(await journal.append(`main/participant/${count}`, 0, [sample(`after-${count}`)]));
    names.push(`after-${count}`);
  }
  await following;
  expect(texts(seen)).toEqual(names);
  await journal.close();
});

it('I-1: killing one of three servers costs a pause, but nothing acknowledged', async () => {
  await using own = await startNatsServers({ count: 3 });
  const journal = await opened({ servers: own.urls, replicas: 3, patience: 20_000 });
  const acknowledged: string[] = [];
  let version = 0;
  const write = async (until: number): Promise<void> => {
    while (version < until) {
      const text = `m-${version}`;
      appended(await journal.append('main/participant/a', version++, [sample(text)]));
      acknowledged.push(text);
    }
  };
  await write(20);
  const more = write(60);
  await own.servers[0]?.stop('SIGKILL');
  await more;
  expect(texts(await collect(journal.read('main/participant/a')))).toEqual(acknowledged);
  expect(texts(await collect(journal.feed('main', 0, { follow: false })))).toEqual(acknowledged);
  expect(await journal.verify()).toMatchObject({ records: 60, faults: [] });
  await journal.close();
});

it('I-6: followers continue after NATS was down, even from history', async () => {
  await using own = await startNatsServers();
  // So small that followers read history all the time.
  const tail = { records: 1, bytes: 1 };
  const journal = await opened({ servers: own.urls, replicas: 1, patience: 20_000, tail });
  const names: string[] = [];
  const write = async (from: number): Promise<void> => {
    const texts = Array.from({ length: 30 }, (_, index) => `m-${from + index}`);
    const outcomes = await Promise.all(
      texts.map((text, index) => journal.append('main/participant/a', from + index, [sample(text)])),
    );
    for (const outcome of outcomes) appended(outcome);
    names.push(...texts);
  };
  const following = collect(journal.feed('main', 0), 60);
  await write(0);
  const late = journal.feed('main', 0)[Symbol.asyncIterator]();
  expect((await late.next()).value).toMatchObject({ seq: 1 });
  await own.servers[0]?.stop();
  await own.servers[0]?.start();
  await write(30);
  expect(texts(await following)).toEqual(names);
  for (let seq = 2; seq <= 60; seq++) expect((await late.next()).value).toMatchObject({ seq });
  await journal.close();
});
