import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { expect, it } from 'vitest';
import { nativeSha256 } from '../../native-hash.js';
import { type SealedAhead, sealAhead } from '../../stored-record.js';
import { sample } from '../../testing/index.js';
import { createAuthentic, type Entry } from '../authenticity/authentic-message.js';
import { type HeaderText, recordHeaders } from '../messages/message.js';
import type { Past } from '../read/history.js';
import { testAuthenticity } from '../testing/authenticity.js';
import { findRecentVoids } from './void-records.js';

const stream = 'main/proposal/1';
const subject = 'any.main.proposal.1';

function behind(before: SealedAhead | undefined, text: string): SealedAhead {
  return sealAhead(sample(text), before?.head ?? { stream, version: 0, hash: '' }, nativeSha256);
}

/** As the client passes them to a reader. */
function readHeaders(written: HeaderText): MsgHdrs {
  const read = headers();
  for (const line of String(written).trim().split('\r\n')) {
    const [name = '', value = ''] = line.split(': ');
    read.append(name, value);
  }
  return read;
}

/** A stream with these records, in this order. */
function pastOf(records: readonly SealedAhead[]): Past {
  const authenticity = testAuthenticity('any');
  const authentic = createAuthentic(authenticity, () => {});
  const messages = records.flatMap((sealed, place): readonly Entry[] => {
    const headers = readHeaders(recordHeaders(sealed, { subject, removed: 0, authenticity }));
    const data = new TextEncoder().encode(sealed.text);
    const entry = authentic.entry({ subject, seq: place + 1, data, headers });
    return entry === undefined ? [] : [entry];
  });
  return {
    after: async (_, seq) => ({
      messages: messages.filter((message) => message.seq > seq),
      upTo: Number.POSITIVE_INFINITY,
    }),
  };
}

it('I-1, I-3: a void record at the start of the recent ones does not condemn valid records', async () => {
  const proposed = behind(undefined, 'proposed');
  const first = behind(proposed, 'first');
  const second = behind(proposed, 'second');
  const third = behind(first, 'third');
  const past = pastOf([proposed, first, second, third]);
  const found = await findRecentVoids(past, { subject: 'any.>', after: 2, last: 4 });
  expect(found).toMatchObject([{ message: { seq: 3 }, end: { version: 3, hash: third.hash } }]);
});
