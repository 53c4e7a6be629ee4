import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { defined } from '@proffer/core/json';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { JournalEvent } from '../journal.js';
import { JournalError } from '../journal-error.js';
import { appended, collect, type NatsServers, sample, startNatsServers } from '../testing/index.js';
import type { NatsJournal } from './nats-journal.js';
import { opened } from './testing/open.js';

let servers: NatsServers;
let connection: NatsConnection;
let manager: JetStreamManager;
let stream = '';
let streams = 0;

beforeAll(async () => {
  servers = await startNatsServers();
  connection = await connect({ servers: [...servers.urls] });
  manager = await jetstreamManager(connection);
});
beforeEach(() => {
  stream = `replaced-${streams++}`;
});
afterAll(async () => {
  await connection.close();
  await servers[Symbol.asyncDispose]();
});

async function watched(): Promise<{ readonly journal: NatsJournal; readonly events: JournalEvent[] }> {
  const journal = await opened({ servers: servers.urls, stream, replicas: 1, patience: 500 });
  onTestFinished(() => journal.close({ patience: 0 }));
  const events: JournalEvent[] = [];
  journal.watch((event) => events.push(event));
  return { journal, events };
}

/** Deletes the stream, and creates one with the same settings, metadata included. */
async function replace(firstSeq?: number): Promise<void> {
  const { config } = await manager.streams.info(stream);
  await manager.streams.delete(stream);
  await manager.streams.add({ ...config, ...defined({ first_seq: firstSeq }) });
}

it.each([
  ['from the beginning', undefined],
  ['after the last sequence', 1_000],
])(
  'I-1, I-9: a stream that was deleted and created anew is noticed, and nothing is decided: %s',
  async (_, firstSeq) => {
    const { journal, events } = await watched();
    for (const name of ['1', '2', '3'])
      appended(await journal.append(`main/proposal/${name}`, 0, [sample(name)]));
    const following = collect(journal.feed('main', 0), 4).catch((error: unknown) => error);
    await replace(firstSeq);
    // The new stream would accept this one: it expects nothing before it.
    const early = journal.append('main/proposal/new', 0, [sample('new')]);
    const answered = early.then(({ status }) => status);
    await expect
      .poll(() => events[0])
      .toMatchObject({ type: 'failing', refusal: { details: { cause: 'StreamReplaced' } } });
    expect(await following).toBeInstanceOf(JournalError);
    expect(await journal.append('main/proposal/4', 0, [sample('4')])).toMatchObject({
      status: 'unavailable',
    });
    await expect(journal.head('main/proposal/9')).rejects.toBeInstanceOf(JournalError);
    await expect(collect(journal.read('main/proposal/1'))).rejects.toBeInstanceOf(JournalError);
    // It is never ready again, and whatever was on its way is not acknowledged.
    expect(await Promise.race([answered, journal.close({ patience: 0 })])).not.toBe('appended');
    expect(events.map(({ type }) => type)).not.toContain('recovered');
  },
);

it('I-1: a stream that is gone, or has lost records, is noticed', async () => {
  const { journal, events } = await watched();
  const [first] = appended(await journal.append('main/proposal/1', 0, [sample('1')]));
  appended(await journal.append('main/proposal/2', 0, [sample('2')]));
  await manager.streams.deleteMessage(stream, first?.seq ?? 0);
  await expect
    .poll(() => events.at(-1))
    .toMatchObject({
      type: 'failing',
      refusal: { message: expect.stringContaining('records were removed from the stream') },
    });
  expect(await journal.append('main/proposal/4', 0, [sample('4')])).toMatchObject({ status: 'unavailable' });
});
