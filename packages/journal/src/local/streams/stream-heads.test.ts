import { describe, expect, it } from 'vitest';
import type { StoredRecord } from '../../stored-record.js';
import { StreamTable } from '../../streams/stream-table.js';
import { sample } from '../../testing/index.js';
import { LineBuffer, sealLine } from '../segments/index.js';
import { isInFlight, type RecentStream, StreamHeads } from './stream-heads.js';

const STREAM = 'main/proposal/p';

/** Adds an in-flight record to a stream. */
function plan(recent: RecentStream): StoredRecord {
  const head = recent.planned;
  const record = sealLine(
    sample(String(head.seq)),
    { head, previousSeq: head.seq, seq: head.seq + 1 },
    new LineBuffer(),
  );
  const { stream, version, hash, seq } = record;
  recent.planned = { stream, version, hash, seq };
  return record;
}

describe('stream heads', () => {
  it('I-2: include in-flight records for the next append, and fall back to durable ones on failure', () => {
    const table = new StreamTable();
    const heads = new StreamHeads(table);
    const recent = heads.of(STREAM);
    plan(recent);
    heads.reach(recent, recent.planned);
    const second = plan(recent);
    const afterSecond = recent.planned;
    const third = plan(recent);
    expect(heads.now(STREAM)).toMatchObject({ version: 3, hash: third.hash });

    heads.reach(recent, afterSecond);
    heads.fail();

    expect(isInFlight(heads.of(STREAM))).toBe(false);
    expect(heads.now(STREAM)).toMatchObject({ version: 2, hash: second.hash });
    expect(heads.get(STREAM)).toEqual({ version: 2, hash: second.hash, seq: 2, removed: 0 });
    expect(new StreamHeads(table).of(STREAM).durable).toEqual(recent.durable);
  });

  it('are found for more streams than are cached, and those in flight are kept', () => {
    const table = new StreamTable();
    const heads = new StreamHeads(table);
    const flying = heads.of(STREAM);
    plan(flying);
    heads.reach(flying, flying.planned);
    plan(flying);
    const names = Array.from({ length: 5000 }, (_, index) => `main/proposal/${index}`);
    for (const stream of names) {
      const recent = heads.of(stream);
      plan(recent);
      heads.reach(recent, recent.planned);
    }
    for (const stream of names) expect(heads.of(stream).durable).toMatchObject({ stream, version: 1 });
    expect(heads.of(STREAM)).toBe(flying);
    expect(heads.get(STREAM)?.version).toBe(1);
    expect(table.size).toBe(5001);
  });

  it('take over what is known from elsewhere', () => {
    const heads = new StreamHeads(new StreamTable());
    const recent = heads.of(STREAM);
    heads.merge(STREAM, { version: 7, hash: 'ab'.repeat(32), seq: 9, removed: 7 });
    expect(recent.planned).toMatchObject({ version: 7, seq: 9 });
    plan(recent);
    heads.reach(recent, recent.planned);
    expect(heads.now(STREAM)).toMatchObject({ version: 8, removed: 7 });
  });
});
