import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nativeSha256 } from '../../native-hash.js';
import { sealAhead } from '../../stored-record.js';
import {
  appended,
  collect,
  type NatsServers,
  sample,
  startNatsServers,
  TEST_ACCESS,
  texts,
} from '../../testing/index.js';
import { journalIn } from '../access/stream-settings.js';
import { copyFromNats } from '../copy/copy-from-nats.js';
import { recordHeaders } from '../messages/message.js';
import { testAuthenticity } from '../testing/authenticity.js';
import { opened } from '../testing/open.js';

let servers: NatsServers;

beforeAll(async () => {
  servers = await startNatsServers();
});
afterAll(() => servers[Symbol.asyncDispose]());

/** Writes a record without an expectation, like a server that forgot to check it. */
async function writeUnchecked(subject: string, sealed: ReturnType<typeof sealAhead>): Promise<void> {
  const connection = await connect({ servers: [...servers.urls] });
  const [stream = ''] = subject.split('.');
  const { config } = await (await jetstreamManager(connection)).streams.info(stream);
  const authenticity = testAuthenticity(stream, journalIn(config));
  await connection.request(subject, sealed.text, {
    headers: recordHeaders(sealed, { subject, removed: 0, authenticity }).forClient(),
    timeout: 5_000,
  });
  await connection.close();
}

it('I-2, I-3: of two records that the server accepted for the same version, the first counts for everyone', async () => {
  const options = { servers: servers.urls, stream: 'twins', replicas: 1 };
  const stream = 'main/proposal/1';
  const journal = await opened(options);
  const other = await opened(options);
  const [proposed] = appended(await journal.append(stream, 0, [sample('proposed')]));
  const following = collect(other.feed('main', 0), 3);
  appended(await journal.append(stream, 1, [sample('first')]));
  const from = { stream, version: 1, hash: proposed?.hash ?? '' };
  await writeUnchecked('twins.main.proposal.1', sealAhead(sample('second'), from, nativeSha256));
  // Both see it before the next record, and it does not block that one.
  const version = (await journal.head(stream)).version;
  expect(version).toBe(2);
  let outcome = await journal.append(stream, 2, [sample('third')]);
  // Until it is deleted it is the last message of its subject.
  while (outcome.status === 'conflict') outcome = await journal.append(stream, 2, [sample('third')]);
  expect(texts(await following)).toEqual(['proposed', 'first', 'third']);
  expect(texts(await collect(other.read(stream)))).toEqual(['proposed', 'first', 'third']);
  await expect.poll(() => other.verify()).toMatchObject({ records: 3, faults: [] });
  await journal.close();
  await other.close();
});

it('I-3: opening a journal finds such a record among the last ones, and deletes it', async () => {
  const options = { servers: servers.urls, stream: 'left', replicas: 1 };
  const stream = 'main/proposal/1';
  const journal = await opened(options);
  const [proposed, first] = appended(await journal.append(stream, 0, [sample('proposed'), sample('first')]));
  await journal.close();
  const from = { stream, version: 1, hash: proposed?.hash ?? '' };
  await writeUnchecked('left.main.proposal.1', sealAhead(sample('second'), from, nativeSha256));
  // A backup of that moment leaves it out.
  const folder = await mkdtemp(join(tmpdir(), 'proffer-void-'));
  expect(await copyFromNats({ ...TEST_ACCESS, ...options }, folder)).toMatchObject({
    ok: true,
    value: { records: 2 },
  });
  await rm(folder, { recursive: true });
  const again = await opened(options);
  expect(again.headNow(stream)).toMatchObject({ version: 2, hash: first?.hash });
  expect(texts(await collect(again.feed('main', 0, { follow: false })))).toEqual(['proposed', 'first']);
  await expect.poll(() => again.verify()).toMatchObject({ records: 2, faults: [] });
  appended(await again.append(stream, 2, [sample('third')]));
  await again.close();
});

describe('I-2, I-3: records written after a void one are void for everyone', () => {
  /** A journal with two records, a void second one, and another after that. */
  async function withBranch(name: string) {
    const options = { servers: servers.urls, stream: name, replicas: 1 };
    const stream = 'main/proposal/1';
    const journal = await opened(options);
    const [proposed] = appended(await journal.append(stream, 0, [sample('proposed'), sample('first')]));
    const from = { stream, version: 1, hash: proposed?.hash ?? '' };
    const second = sealAhead(sample('second'), from, nativeSha256);
    const slip = async () => {
      await writeUnchecked(`${name}.main.proposal.1`, second);
      await writeUnchecked(`${name}.main.proposal.1`, sealAhead(sample('behind'), second.head, nativeSha256));
    };
    return { options, stream, journal, slip };
  }

  it('who follows, reads, or appends', async () => {
    const { options, stream, journal, slip } = await withBranch('branch');
    const other = await opened(options);
    const following = collect(other.feed('main', 0), 3);
    await slip();
    expect(texts(await collect(other.read(stream)))).toEqual(['proposed', 'first']);
    let outcome = await journal.append(stream, 2, [sample('third')]);
    while (outcome.status === 'conflict') outcome = await journal.append(stream, 2, [sample('third')]);
    expect(texts(await following)).toEqual(['proposed', 'first', 'third']);
    await expect.poll(() => other.verify()).toMatchObject({ records: 3, faults: [] });
    await journal.close();
    await other.close();
  });

  it('who opens the journal', async () => {
    const { options, stream, journal, slip } = await withBranch('reopened');
    await journal.close();
    await slip();
    const again = await opened(options);
    expect(again.headNow(stream)).toMatchObject({ version: 2 });
    expect(texts(await collect(again.feed('main', 0, { follow: false })))).toEqual(['proposed', 'first']);
    await expect.poll(() => again.verify()).toMatchObject({ records: 2, faults: [] });
    appended(await again.append(stream, 2, [sample('third')]));
    await again.close();
  });
});
