import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../json/json.js';
import { runs } from '../testing/runs.js';
import { DIALECTS } from './dialects/detect.js';
import type { DialectName } from './dialects/dialect.js';
import type { Envelope } from './envelope.js';
import { encodeEnvelope, readBytes, readMessage } from './read.js';
import { envelope } from './testing/arbitrary-messages.js';
import { SENDING } from './testing/reading.js';
import { checkBytes, sentBytes } from './testing/sent.js';
import { writtenOf } from './written.js';

const dialects = Object.keys(DIALECTS) as DialectName[];

/** A message with some value in its payload. */
function chat(more: JsonValue): string {
  return JSON.stringify({ id: 'm-1', kind: 'chat.message', payload: { text: 'é', z: 1, a: more } });
}

describe('a message as bytes', () => {
  it('O-5, O-7: is read as the same message as text, in every dialect', () => {
    const messages = fc.tuple(envelope, fc.constantFrom(...dialects));
    const property = fc.property(messages, ([one, dialect]) => {
      checkBytes(JSON.stringify(encodeEnvelope(one, dialect)));
    });
    fc.assert(property, runs(1000));
  });

  it('O-5: whatever is in its payload', () => {
    const property = fc.property(fc.jsonValue({ noUnicodeString: false, maxDepth: 4 }), (value) => {
      checkBytes(chat(value));
    });
    fc.assert(property, runs(1000));
  });

  it('O-5: one changed byte makes no difference between the two', () => {
    const text = chat({
      list: [1, -2.5, { b: [], a: {} }, 'x\\n', true, null, 0.25],
      deep: { y: 1, x: [[{}]] },
    });
    for (let at = 0; at < text.length; at++) {
      for (const byte of Array.from(' "\\{}[]:,-+.0123456789eEtfnuabé\u0001'))
        checkBytes(`${text.slice(0, at)}${byte}${text.slice(at + 1)}`);
      checkBytes(`${text.slice(0, at)}${text.slice(at + 1)}`);
      checkBytes(`${text.slice(0, at + 1)}${text.slice(at)}`);
    }
  });

  it.each([
    '{"x":{"b":1,"a":2}}',
    '{"x":[{"b":1,"a":[{"d":1,"c":2}]},3]}',
    '{"x":"a\\"b\\\\c\\n\\t"}',
    '{"x":[0,1,-1,0.5,-0.5,10.25,123456789012345,0.00012,1.5]}',
    '{"x":"é€😀\u2028"}',
    '{"x":[],"y":{},"z":[[],{}]}',
    '{"":1}',
  ])('the scan vouches for %s', (payload) => {
    expect(checkBytes(`{"id":"m","kind":"note.taken","payload":${payload}}`)).toBe(true);
  });

  it.each([
    '{"a":1,"a":2}',
    '{"b":1,"a":2,"b":3}',
    '{"__proto__":1}',
    '{"x":"\\u0041"}',
    '{"x":"\\/"}',
    '{"x":"\\ud800"}',
    '{"x": 1}',
    '{"x":-0}',
    '{"x":1.0}',
    '{"x":1e3}',
    '{"x":0.0000001}',
    '{"x":9007199254740993}',
    '{"x":01}',
    '{"x":"\u0001"}',
    '{"é":1}',
    `{"x":${'['.repeat(70)}${']'.repeat(70)}}`,
    `{${Array.from({ length: 40 }, (_, index) => `"k${index}":1`).join(',')}}`,
  ])('the scan leaves %s to the parser', (payload) => {
    expect(checkBytes(`{"id":"m","kind":"note.taken","payload":${payload}}`)).toBe(false);
  });

  it('O-5: limits are those of text', () => {
    const text = chat([[[[['deep']]]]]);
    for (const limits of [
      { maxBytes: text.length, maxDepth: 64 },
      { maxBytes: 1_000, maxDepth: 6 },
      { maxBytes: 1_000, maxDepth: 7 },
    ])
      expect(readBytes(sentBytes(text), { ...SENDING, limits })).toEqual(
        readMessage(text, { ...SENDING, limits }),
      );
  });

  it('bytes stay those of their message, however many follow, and a copy has none', () => {
    const read = (text: string): Envelope => {
      const reading = readBytes(sentBytes(text), SENDING);
      if (!reading.ok) throw new Error(reading.refusal.message);
      return reading.value.envelope;
    };
    const kept = Array.from({ length: 300 }, (_, index) => read(chat('x'.repeat(index * 10))));
    for (const [index, one] of kept.entries()) {
      const { bytes, start, end } = writtenOf(one) ?? { bytes: new Uint8Array(), start: 0, end: 0 };
      const payload = JSON.parse(Buffer.from(bytes.subarray(start, end)).toString()) as JsonObject;
      expect(payload['a']).toBe('x'.repeat(index * 10));
    }
    expect(writtenOf({ ...(kept[0] as Envelope) })).toBeUndefined();
  });
});
