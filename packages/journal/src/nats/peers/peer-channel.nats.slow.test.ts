import { jetstreamManager } from '@nats-io/jetstream';
import { connect, headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { defined, type JsonObject } from '@proffer/core/json';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { type NatsServers, startNatsServers } from '../../testing/index.js';
import type { NatsJournal } from '../nats-journal.js';
import type { NatsJournalOptions } from '../open-nats-journal.js';
import { opened } from '../testing/open.js';

let servers: NatsServers;
let stranger: NatsConnection;
let stream = '';
let streams = 0;

beforeAll(async () => {
  servers = await startNatsServers();
  stranger = await connect({ servers: [...servers.urls] });
});
beforeEach(() => {
  stream = `peers-${streams++}`;
});
afterAll(async () => {
  await stranger.close();
  await servers[Symbol.asyncDispose]();
});

interface Listening {
  readonly journal: NatsJournal;
  readonly heard: JsonObject[];
  readonly rejected: () => number;
}

async function open(options: Partial<NatsJournalOptions> = {}): Promise<Listening> {
  const journal = await opened({ servers: servers.urls, stream, replicas: 1, ...options });
  onTestFinished(() => journal.close());
  const heard: JsonObject[] = [];
  let rejected = 0;
  journal.peers.listen((message) => heard.push(message));
  journal.watch(({ type }) => {
    if (type === 'peer_rejected') rejected++;
  });
  // The server has heard of the subscription when it has answered this.
  await journal.lastSeq('main');
  return { journal, heard, rejected: () => rejected };
}

/** Everything that gateways send each other, as somebody on the same servers sees it. */
function overhear(): Msg[] {
  const messages: Msg[] = [];
  const subscription = stranger.subscribe(`${stream}-peers`, {
    callback: (_, message) => void messages.push(message),
  });
  onTestFinished(() => subscription.unsubscribe());
  return messages;
}

const repeat = ({ subject, data, headers: found }: Msg): void =>
  stranger.publish(subject, data, defined({ headers: found }));

it('I-9: gateways hear each other, and nobody else', async () => {
  const { journal } = await open();
  const other = await open();
  await stranger.flush();
  const forged = headers();
  forged.set('Proffer-From', 'me');
  forged.set('Proffer-Count', '1');
  forged.set('Proffer-Mac', 'test:AAAA');
  stranger.publish(`${stream}-peers`, '{"type":"forged"}');
  stranger.publish(`${stream}-peers`, '{"type":"forged"}', { headers: forged });
  await stranger.flush();
  await expect.poll(() => journal.peers.tell({ type: 'real' }) && other.heard.length > 0).toBe(true);
  await expect.poll(other.rejected).toBe(2);
  expect(new Set(other.heard.map(({ type }) => type))).toEqual(new Set(['real']));
});

it('I-9: a message that is sent again is not heard again, whether its sender is there or gone', async () => {
  const messages = overhear();
  await stranger.flush();
  const first = await open();
  const second = await open();
  await expect.poll(() => first.journal.peers.tell({ type: 'a' }) && second.heard.length > 0).toBe(true);
  first.journal.peers.tell({ type: 'last' });
  await expect.poll(() => second.heard.at(-1)).toEqual({ type: 'last' });
  const heard = second.heard.length;
  const recorded = [...messages];
  expect(recorded.length).toBeGreaterThan(2);
  for (const message of recorded) repeat(message);
  await stranger.flush();
  first.journal.peers.tell({ type: 'after' });
  await expect.poll(() => second.heard.at(-1)).toEqual({ type: 'after' });
  expect(second.heard).toHaveLength(heard + 1);
  // A gateway that starts later never met the first one.
  await first.journal.close();
  const third = await open();
  for (const message of recorded) repeat(message);
  await stranger.flush();
  await expect
    .poll(() => second.journal.peers.tell({ type: 'b' }) && third.heard.at(-1))
    .toEqual({ type: 'b' });
  expect(new Set(third.heard.map(({ type }) => type))).toEqual(new Set(['b']));
});

it('I-9: the first message of a gateway that was never heard from arrives, too', async () => {
  const first = await open();
  const second = await open();
  second.journal.peers.tell({ type: 'ask' });
  await expect.poll(() => first.heard).toEqual([{ type: 'ask' }]);
});

it('I-3, I-9: gateways of an older release are heard only while they are being replaced', async () => {
  await (await opened({ servers: servers.urls, stream, replicas: 1 })).close();
  const manager = await jetstreamManager(stranger);
  const { config } = await manager.streams.info(stream);
  await manager.streams.update(stream, { ...config, metadata: { 'proffer-format': '1' } });
  const strict = await open();
  const lenient = await open({ acceptUnsigned: 'all' });
  stranger.publish(`${stream}-peers`, '{"type":"old"}');
  await expect.poll(() => lenient.heard).toEqual([{ type: 'old' }]);
  await expect.poll(strict.rejected).toBe(1);
  expect(strict.heard).toEqual([]);
});
