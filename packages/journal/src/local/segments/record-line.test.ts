import { readMessage } from '@proffer/core';
import { canonicalJson, type JsonObject } from '@proffer/core/json';
import { emptyStream, type RecordContent, sealRecord } from '@proffer/core/records';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineBuffer } from './line-buffer.js';
import { parseLine, sealLine } from './record-line.js';

const OPTIONS = { from: 'agent', now: 0 };

/** A message that keeps its canonical form, and a copy that does not. */
function bothOf(text: string): readonly [JsonObject, JsonObject] {
  const reading = readMessage(text, OPTIONS);
  if (!reading.ok) throw new Error(reading.refusal.message);
  const { envelope } = reading.value;
  return [envelope, { ...envelope }];
}

it('I-3: the line of a record is the same whether or not its message keeps its canonical form', () => {
  const lines = new LineBuffer();
  const payload = fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false }), {
    noNullPrototype: true,
  });
  const property = fc.property(payload, fc.constantFrom('m-1', 'é', 'a"b\\c'), (said, id) => {
    // Keys that are not allowed are not what this is about.
    fc.pre(!JSON.stringify(said).includes('__proto__') && JSON.stringify(said).isWellFormed());
    const text = JSON.stringify({ id, kind: 'note.taken', to: ['b', 'a'], payload: said });
    fc.pre(readMessage(text, OPTIONS).ok);
    const [first, second] = bothOf(text).map((envelope) => {
      const content: RecordContent = {
        type: 'said',
        time: 1,
        principal: 'agent',
        envelope,
        facts: { participant: 'agent', fingerprint: 'ü' },
      };
      const head = emptyStream('main/participant/agent');
      lines.clear();
      const record = sealLine(content, { head, previousSeq: 0, seq: 7 }, lines);
      const { hash, ...sealed } = sealRecord(content, head);
      expect(record).toEqual({ ...sealed, hash, seq: 7 });
      const line = lines.between(0, lines.size).toString();
      expect(line).toBe(`{"seq":7,"previous":0,"hash":"${hash}","record":${canonicalJson(sealed)}}\n`);
      expect(parseLine(line)).toEqual({ ok: true, value: { record, previousSeq: 0 } });
      return line;
    });
    expect(second).toBe(first);
  });
  fc.assert(property, { numRuns: 300 });
});

it('I-1: lines that outgrow their memory are kept, and what fails is taken back', () => {
  const lines = new LineBuffer();
  const text = 'é'.repeat(50_000);
  for (let count = 0; count < 5; count++) lines.text.addQuoted(text);
  const length = Buffer.byteLength(`"${text}"`);
  lines.cut(2 * length);
  expect(lines.size).toBe(2 * length);
  expect(lines.between(0, lines.size).toString()).toBe(`"${text}"`.repeat(2));
});
