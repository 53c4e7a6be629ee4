import { describe, expect, it } from 'vitest';
import type { StoredRecord } from '../../stored-record.js';
import { StreamTable } from '../../streams/index.js';
import { sample } from '../../testing/index.js';
import { LineBuffer, sealLine } from '../segments/index.js';
import { type Head, StreamHeads } from './stream-heads.js';

const STREAM = 'main/proposal/p';

/** Adds an in-flight record to a head. */
function plan(heads: StreamHeads, from: Head): { readonly record: StoredRecord; readonly head: Head } {
  const place = { head: from, previousSeq: from.seq, seq: from.seq + 1 };
  const record = sealLine(sample(String(place.seq)), place, new LineBuffer());
  const { version, hash, seq } = record;
  const head = { stream: STREAM, version, hash, seq, key: from.key };
  heads.plan(head);
  return { record, head };
}

describe('stream heads', () => {
  it('I-2: include in-flight records for the next append, and fall back to durable ones on failure', () => {
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

  it('are found for more streams than are cached', () => {
    const heads = new StreamHeads(new StreamTable());
    const names = Array.from({ length: 3000 }, (_, index) => `main/proposal/${index}`);
    const lines = new LineBuffer();
    for (const [index, stream] of names.entries()) {
      const from = heads.durable(stream);
      const record = sealLine(sample('x'), { head: from, previousSeq: 0, seq: index + 1 }, lines);
      heads.plan({ stream, version: 1, hash: record.hash, seq: record.seq, key: from.key });
      heads.reach(record);
    }
    for (const [index, stream] of names.entries()) {
      expect(heads.durable(stream)).toMatchObject({ stream, version: 1, seq: index + 1 });
    }
  });
});
