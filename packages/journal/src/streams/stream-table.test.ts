import { describe, expect, it } from 'vitest';
import { nativeSha256 } from '../native-hash.js';
import { ENTRY_BYTES, keyOf, StreamTable } from './stream-table.js';

describe('the stream table', () => {
  it('I-8: finds each of many streams, and no others', () => {
    const table = new StreamTable();
    const count = 20_000;
    for (let index = 0; index < count; index++) {
      const hash = nativeSha256(String(index));
      table.merge(`main/proposal/${index}`, { version: index + 1, hash, seq: index * 2 + 1, removed: 0 });
    }
    expect(table.size).toBe(count);
    for (let index = 0; index < count; index++) {
      const hash = nativeSha256(String(index));
      const entry = { version: index + 1, hash, seq: index * 2 + 1, removed: 0 };
      expect(table.get(`main/proposal/${index}`)).toEqual(entry);
    }
    expect(table.get('main/proposal/none')).toBeUndefined();
  });

  it('keeps the later head and the later removal, in whatever order they arrive', () => {
    const early = { version: 2, hash: nativeSha256('2'), seq: 7, removed: 2 };
    const late = { version: 5, hash: nativeSha256('5'), seq: 2 ** 40, removed: 0 };
    for (const order of [
      [early, late],
      [late, early],
    ]) {
      const table = new StreamTable();
      for (const entry of order) table.merge('a', entry);
      const copy = new StreamTable();
      const bytes = Buffer.alloc(ENTRY_BYTES);
      table.encode(keyOf('a'), bytes, 0);
      copy.mergeEncoded(bytes);
      expect(copy.get('a')).toEqual({ ...late, removed: 2 });
    }
  });
});
