import { describe, expect, it } from 'vitest';
import { createLineSplitter, readLine } from './lines.js';

describe('lines', () => {
  it('are found however the bytes are split, also inside a character', () => {
    const text = 'eins\nzwei €\n\ndrei\n';
    const bytes = Buffer.from(text);
    for (let size = 1; size <= bytes.length; size++) {
      const lines: string[] = [];
      const split = createLineSplitter((line) => lines.push(line));
      for (let at = 0; at < bytes.length; at += size) split(bytes.subarray(at, at + size));
      expect(lines).toEqual(['eins', 'zwei €', '', 'drei']);
    }
  });

  it('that are not messages are skipped', () => {
    expect(readLine('Server is ready')).toEqual([]);
    expect(readLine('1')).toEqual([]);
    expect(readLine('{"a":1.0}')).toEqual([{ message: { a: 1 }, text: '{"a":1.0}' }]);
  });

  it('with a batch are split, so that nothing in it goes unseen', () => {
    expect(readLine('[{"a":1},2,{"b":2}]')).toEqual([{ message: { a: 1 } }, { message: { b: 2 } }]);
  });
});
