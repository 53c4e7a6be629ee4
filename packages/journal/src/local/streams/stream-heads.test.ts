import { describe, expect, it } from 'vitest';
import { nativeSha256 } from '../../native-hash.js';
import type { StoredRecord } from '../../stored-record.js';
import { StreamTable } from '../../streams/index.js';
import { sample } from '../../testing/index.js';
import { sealLine } from '../segments/index.js';
import { type Head, StreamHeads } from './stream-heads.js';

const STREAM = 'main/proposal/p';

/** One more record onto a head, on its way. */
function plan(heads: StreamHeads, from: Head): { readonly record: StoredRecord; readonly head: Head } {
  const place = { head: from, previousSeq: from.seq, seq: from.seq + 1 };
  const { record } = sealLine(sample(String(place.seq)), place, nativeSha256);
  const { version, hash, seq } = record;
  const head = { stream: STREAM, version, hash, seq, key: from.key };
  heads.plan(head);
  return { record, head };
}

describe('the heads of streams', () => {
  it('I-2: counts what is on its way for the next append, and what is durable when that fails', () => {
    const heads = new StreamHeads(new StreamTable());
    const first = plan(heads, heads.durable(STREAM));
    heads.reach(first.record);
    const second = plan(heads, heads.durable(STREAM));
    const third = plan(heads, second.head);
    expect(heads.now(STREAM)).toMatchObject({ version: 3, hash: third.record.hash });

    heads.reach(second.record);
    heads.fail();

    expect(heads.planned(STREAM)).toBeUndefined();
    expect(heads.durable(STREAM)).toMatchObject({ version: 2, hash: second.record.hash, seq: 2 });
    expect(heads.now(STREAM)).toMatchObject({ version: 2, hash: second.record.hash });
  });

  it('finds durable heads of more streams than it has at hand', () => {
    const heads = new StreamHeads(new StreamTable());
    const names = Array.from({ length: 3000 }, (_, index) => `main/proposal/${index}`);
    for (const [index, stream] of names.entries()) {
      const from = heads.durable(stream);
      const { record } = sealLine(sample('x'), { head: from, previousSeq: 0, seq: index + 1 }, nativeSha256);
      heads.plan({ stream, version: 1, hash: record.hash, seq: record.seq, key: from.key });
      heads.reach(record);
    }
    for (const [index, stream] of names.entries()) {
      expect(heads.durable(stream)).toMatchObject({ stream, version: 1, seq: index + 1 });
    }
  });
});
