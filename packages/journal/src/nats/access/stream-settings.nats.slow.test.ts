import { jetstreamManager, StorageType } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appended, type NatsServers, sample, startNatsServers, TEST_ACCESS } from '../../testing/index.js';
import { openNatsJournal } from '../open-nats-journal.js';
import { opened } from '../testing/open.js';

let servers: NatsServers;
let connection: NatsConnection;

beforeAll(async () => {
  servers = await startNatsServers();
  connection = await connect({ servers: [...servers.urls] });
});
afterAll(async () => {
  await connection.close();
  await servers[Symbol.asyncDispose]();
});

describe('the stream of a journal', () => {
  it('I-1: is refused if its settings could lose records, with what to change', async () => {
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: 'unsafe', subjects: ['unsafe.>'], max_msgs_per_subject: 5 });
    await manager.streams.add({ name: 'memory', subjects: ['memory.>'], storage: StorageType.Memory });
    const unsafe = await openNatsJournal({
      ...TEST_ACCESS,
      servers: servers.urls,
      stream: 'unsafe',
      replicas: 1,
    });
    expect(unsafe).toMatchObject({
      ok: false,
      refusal: {
        code: 'unsafe_stream',
        details: {
          stream: 'unsafe',
          settings: ['discard', 'max_msgs_per_subject', 'allow_atomic', 'allow_direct'],
        },
      },
    });
    if (!unsafe.ok) expect(unsafe.refusal.message).toContain('max_msgs_per_subject is 5 and must be -1');
    const memory = await openNatsJournal({
      ...TEST_ACCESS,
      servers: servers.urls,
      stream: 'memory',
      replicas: 1,
    });
    expect(memory).toMatchObject({ refusal: { details: { settings: expect.arrayContaining(['storage']) } } });
  });

  it('I-1: is not created on fewer servers than the required copies', async () => {
    const refused = await openNatsJournal({ ...TEST_ACCESS, servers: servers.urls, stream: 'three' });
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'unsafe_stream' } });
    if (!refused.ok) expect(refused.refusal.message).toContain('journal.nats.replicas');
  });

  it('I-1: is created as soon as a server that has just started can store a copy', async () => {
    await using cluster = await startNatsServers({ count: 3 });
    for (const [index, server] of cluster.servers.entries()) {
      await server.stop('SIGTERM');
      await server.start();
      const rest = cluster.urls.filter((url) => url !== server.url);
      await (await opened({ servers: rest, stream: `restarted-${index}` })).close();
    }
  });

  it('is not created by a reader', async () => {
    const options = { ...TEST_ACCESS, servers: servers.urls, stream: 'nothing', replicas: 1, create: false };
    expect(await openNatsJournal(options)).toMatchObject({ ok: false, refusal: { code: 'no_stream' } });
  });

  it('is refused if a later version wrote its format', async () => {
    await (await opened({ servers: servers.urls, stream: 'later', replicas: 1 })).close();
    const manager = await jetstreamManager(connection);
    await manager.streams.update('later', { metadata: { 'proffer-format': '3' } });
    expect(
      await openNatsJournal({ ...TEST_ACCESS, servers: servers.urls, stream: 'later', replicas: 1 }),
    ).toMatchObject({
      ok: false,
      refusal: { code: 'unknown_journal_format' },
    });
  });

  it('reports the problem if nobody answers', async () => {
    const refused = await openNatsJournal({ ...TEST_ACCESS, servers: ['nats://127.0.0.1:9'], replicas: 1 });
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'journal_unreachable' } });
    if (!refused.ok) expect(refused.refusal.message).toContain('nats://127.0.0.1:9');
  });
});

describe('streams', () => {
  it('accepts names of any kind, and distinguishes them', async () => {
    const journal = await opened({ servers: servers.urls, stream: 'names', replicas: 1 });
    const names = [
      'a.b',
      'a b',
      'a*',
      'a>',
      'ä☂',
      '',
      'a/b',
      'a%2fb',
      '%',
      'x'.repeat(3_000),
      'x'.repeat(3_001),
    ];
    for (const name of names) appended(await journal.append(`main/proposal/${name}`, 0, [sample(name)]));
    appended(await journal.append('main', 0, [sample('no slash')]));
    appended(await journal.append('sp ace.x/y', 0, [sample('other space')]));
    await journal.close();
    const again = await opened({ servers: servers.urls, stream: 'names', replicas: 1 });
    for (const name of names) expect(again.headNow(`main/proposal/${name}`).version).toBe(1);
    expect(await again.verify()).toMatchObject({ records: names.length + 2, faults: [] });
    expect(await again.lastSeq('main')).toBe(names.length + 1);
    expect(await again.lastSeq('sp ace.x')).toBe(names.length + 2);
    await again.close();
  });
});
