import { execFileSync } from 'node:child_process';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect, it } from 'vitest';
import { appended, collect, type NatsServer, sample, startNatsServers, texts } from '../testing/index.js';
import { opened } from './testing/open.js';

const STREAM = 'main/proposal/1';

/** More often than a batch is sent that meets no other: the loser has been refused several times. */
const MANY = 6;

/** The state of a server's process: `T` if it is stopped. */
function stateOf({ pid }: NatsServer): string | undefined {
  return execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).trim();
}

it('I-2: an append waits for one of another gateway that the leader has accepted, and then conflicts with it', async () => {
  await using servers = await startNatsServers({ count: 3 });
  const stream = 'proffer';
  const options = { servers: servers.urls, stream, replicas: 3 };
  const first = await opened(options);
  appended(await first.append(STREAM, 0, [sample('proposed')]));
  await first.close();
  const anyone = await connect({ servers: [...servers.urls] });
  const { cluster } = await (await jetstreamManager(anyone)).streams.info(stream);
  await anyone.close();
  const followers = servers.servers.filter((_, index) => `n${index + 1}` !== cluster?.leader);
  const leader = servers.servers.find((server) => !followers.includes(server))?.url ?? '';
  const [here, there] = await Promise.all([
    opened({ ...options, servers: [leader] }),
    opened({ ...options, servers: [leader] }),
  ]);
  const listener = await connect({ servers: [leader] });
  const sent = listener.subscribe(`${stream}.>`, { max: MANY });
  const wereSent = (async () => {
    for await (const _ of sent);
  })();
  await listener.flush();
  // Nobody confirms what the leader accepts.
  for (const follower of followers) follower.signal('SIGSTOP');
  await expect.poll(() => followers.map(stateOf)).toEqual(['T', 'T']);
  const appends = [here, there].map((journal, index) =>
    journal.append(STREAM, 1, [sample(`decision ${index}`)]),
  );
  await Promise.race([wereSent, ...appends]);
  for (const follower of followers) follower.signal('SIGCONT');
  const outcomes = await Promise.all(appends);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['appended', 'conflict']);
  const winner = outcomes.findIndex(({ status }) => status === 'appended');
  expect(texts(await collect(here.read(STREAM)))).toEqual(['proposed', `decision ${winner}`]);
  await Promise.all([here.close(), there.close(), listener.close()]);
});
