import { afterAll, beforeAll } from 'vitest';
import {
  describeJournalContract,
  type JournalUnderTest,
  type NatsServers,
  startNatsServers,
} from '../testing/index.js';
import type { NatsJournalOptions } from './open-nats-journal.js';
import { opened } from './testing/open.js';

let made = 0;

/** An empty journal: a new stream on servers that the tests share. */
async function start(options: NatsJournalOptions): Promise<JournalUnderTest> {
  const own = { ...options, stream: `proffer-${made++}` };
  let journal = await opened(own);
  return {
    journal,
    async reopen() {
      await journal.close();
      journal = await opened(own);
      return journal;
    },
    dispose: () => journal.close(),
  };
}

let one: NatsServers | undefined;
let three: NatsServers | undefined;

beforeAll(async () => {
  [one, three] = await Promise.all([startNatsServers(), startNatsServers({ count: 3 })]);
});
afterAll(async () => {
  await one?.[Symbol.asyncDispose]();
  await three?.[Symbol.asyncDispose]();
});

describeJournalContract('nats', () => start({ servers: one?.urls ?? [], replicas: 1 }));

describeJournalContract('nats, in small pieces', () =>
  start({ servers: one?.urls ?? [], replicas: 1, batchBytes: 700, tail: { records: 3, bytes: 2000 } }),
);

describeJournalContract('nats, on three servers', () => start({ servers: three?.urls ?? [], replicas: 3 }));
