import { describe, expect, it } from 'vitest';
import type { StoredOperation } from '../../delivery/batch.js';
import { createRecordCache } from './original.js';

function recordOf(stream: string, version: number, text = ''): StoredOperation {
  const envelope = { protocol: 'mcpx/v0.1', id: 'c1', ts: '', from: 'agent', kind: 'chat.message' } as const;
  return {
    stream,
    version,
    seq: version,
    time: 0,
    schema: 1,
    prev: '',
    hash: '',
    type: 'said',
    principal: 'agent',
    envelope: { ...envelope, payload: { text } },
    facts: { participant: 'agent', fingerprint: '' },
  };
}

describe('record cache', () => {
  it("finds records by stream and version, whatever a stream's name", () => {
    const kept = createRecordCache(100_000);
    const one = recordOf('main/a', 12);
    kept.keep(one);
    kept.keep(recordOf('2 main/a', 1));
    expect(kept.get({ stream: 'main/a', version: 12 })).toBe(one);
    expect(kept.get({ stream: 'main/a', version: 1 })).toBeUndefined();
    expect(kept.get({ stream: 'a', version: 12 })).toBeUndefined();
  });

  it('I-7: is bounded: the least recently used make room', () => {
    const most = 100_000;
    const kept = createRecordCache(most);
    const first = recordOf('main/a', 1);
    for (let version = 1; version <= 10_000; version++) {
      kept.keep(recordOf('main/a', version));
      kept.keep(first);
      expect(kept.size()).toBeLessThanOrEqual(most);
    }
    expect(kept.get(first)).toBe(first);
    expect(kept.get({ stream: 'main/a', version: 2 })).toBeUndefined();
    expect(kept.get({ stream: 'main/a', version: 10_000 })).toBeDefined();
  });

  it('I-7: does not store a large record, which takes no room from others', () => {
    const kept = createRecordCache(10_000);
    kept.keep(recordOf('main/a', 1));
    kept.keep(recordOf('main/a', 2, 'x'.repeat(10_000)));
    expect(kept.get({ stream: 'main/a', version: 1 })).toBeDefined();
    expect(kept.get({ stream: 'main/a', version: 2 })).toBeUndefined();
  });
});
