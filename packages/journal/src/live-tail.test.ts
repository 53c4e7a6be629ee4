import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { LiveTail } from './live-tail.js';
import type { StoredRecord } from './stored-record.js';
import { sample } from './testing/index.js';

function record(seq: number): StoredRecord {
  const seal = { schema: 1, stream: 'main/participant/a', version: seq, prev: '', hash: '' } as const;
  return { ...sample('x'), ...seal, seq };
}

it('I-7: releases large records as soon as they exceed its byte limit', async () => {
  setFlagsFromString('--expose_gc');
  const collect = runInNewContext('gc') as () => void;
  const tail = new LiveTail(0, { records: 4096, bytes: 10 });
  const references: WeakRef<StoredRecord>[] = [];
  for (let seq = 1; seq <= 100; seq++) {
    const large = record(seq);
    references.push(new WeakRef(large));
    tail.push(large, 5);
    tail.wake();
  }
  // The target of a WeakRef stays alive until the end of the event loop turn.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(references.filter((reference) => reference.deref() !== undefined).length).toBeLessThan(10);
  expect(tail.after(98)?.map(({ seq }) => seq)).toEqual([99, 100]);
  expect(tail.after(10)).toBeUndefined();
});

it('keeps all of a batch until the next one, however large it is', () => {
  const tail = new LiveTail(0, { records: 2, bytes: 10 });
  for (let seq = 1; seq <= 100; seq++) tail.push(record(seq), 5);
  tail.wake();
  expect(tail.after(0)).toHaveLength(100);
  tail.push(record(101), 5);
  tail.wake();
  expect(tail.after(0)).toBeUndefined();
  expect(tail.after(98)?.map(({ seq }) => seq)).toEqual([99, 100, 101]);
});
