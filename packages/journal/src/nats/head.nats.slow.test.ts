import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect, it } from 'vitest';
import { appended, collect, sample, startNatsServers, texts } from '../testing/index.js';
import { opened } from './testing/open.js';

const STREAM = 'main/proposal/1';

it('I-2, I-6: if someone has seen more than is known here, fetches what another gateway wrote', async () => {
  await using servers = await startNatsServers();
  const options = { servers: servers.urls, replicas: 1 };
  const here = await opened(options);
  const there = await opened(options);
  for (let version = 1; version <= 50; version++) {
    appended(await there.append(STREAM, version - 1, [sample(`number ${version}`)]));
    // It was just acknowledged there, and has not arrived here yet.
    expect(await here.head(STREAM, version)).toMatchObject({ version });
  }
  expect(await here.head(STREAM, 51)).toMatchObject({ version: 50 });
  await here.close();
  await there.close();
});

it('I-2, I-6: a leader that lost the other servers is not trusted when it reports no more', async () => {
  await using servers = await startNatsServers({ count: 3 });
  const stream = 'proffer';
  const connection = await connect({ servers: [...servers.urls] });
  const journal = await opened({ servers: servers.urls, stream, patience: 500 });
  appended(await journal.append(STREAM, 0, [sample('first')]));
  expect(await journal.head(STREAM, 2)).toMatchObject({ version: 1 });
  expect(await journal.lastSeq('main', 2)).toBe(1);
  const { cluster } = await (await jetstreamManager(connection)).streams.info(stream);
  await connection.close();
  const others = servers.servers.filter((_, index) => `n${index + 1}` !== cluster?.leader);
  const leader = servers.servers.find((server) => !others.includes(server));
  const here = await opened({ servers: [leader?.url ?? ''], stream, patience: 500 });
  await Promise.all(others.map((other) => other.stop()));
  // It keeps answering for some seconds, as if it still led the others.
  expect(texts(await collect(here.read(STREAM)))).toEqual(['first']);
  const unavailable = { refusal: { code: 'unavailable' } };
  await Promise.all([
    expect(here.head(STREAM, 2)).rejects.toMatchObject(unavailable),
    expect(here.lastSeq('main', 2)).rejects.toMatchObject(unavailable),
  ]);
  await Promise.all(others.map((other) => other.start()));
  await expect
    .poll(() => here.head(STREAM, 2).catch(() => undefined), { timeout: 30_000 })
    .toMatchObject({ version: 1 });
  await here.close();
  await journal.close();
});
