import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DIALECTS } from './dialects/detect.js';
import type { DialectName } from './dialects/dialect.js';
import { type EnvelopeReading, encodeEnvelope, readMessage } from './read.js';
import { envelope } from './testing/arbitrary-messages.js';
import { SENDING } from './testing/reading.js';
import { checkWritten } from './testing/written.js';

// Three properties share the runs: 50,000 of them, or a million.
const numRuns = Math.ceil((process.env['PROFFER_LONG'] === undefined ? 50_000 : 1_000_000) / 3);
const timeout = 1_800_000;
const dialects = Object.keys(DIALECTS) as DialectName[];

interface Slowest {
  readonly milliseconds: number;
  readonly length: number;
}

/** The fastest of several reads: a pause of the machine is not the text's fault. */
function measure(text: string): number {
  const start = performance.now();
  readMessage(text, SENDING);
  return performance.now() - start;
}

/** Reads every text, checks the result against the promises, and returns the slowest for information. */
function readAll(texts: fc.Arbitrary<string>): Slowest {
  let slowest: Slowest = { milliseconds: 0, length: 0 };
  const property = fc.property(texts, (text) => {
    const first = measure(text);
    const milliseconds = first > slowest.milliseconds ? Math.min(first, measure(text)) : first;
    if (milliseconds > slowest.milliseconds) slowest = { milliseconds, length: text.length };
    const reading = readMessage(text, SENDING);
    checkPromises(reading);
    if (reading.ok) checkWritten(reading.value.envelope);
  });
  fc.assert(property, { numRuns });
  return slowest;
}

/** The promises for any text at all. */
function checkPromises(reading: EnvelopeReading): void {
  if (!reading.ok) {
    expect(reading.refusal.message).toMatch(/\.$/);
    expect(JSON.stringify(reading).length).toBeLessThan(4000);
    return;
  }
  const { envelope: read, dialect } = reading.value;
  expect(read.from).toBe('agent');
  expect(read.kind).not.toMatch(/^system\b(?!-)/i);
  const again = readMessage(JSON.stringify(encodeEnvelope(read, dialect)), SENDING);
  expect(again.ok).toBe(true);
}

const bytes = fc
  .uint8Array({ maxLength: 300, size: 'max' })
  .map((data) => Buffer.from(data).toString(data.length % 2 === 0 ? 'utf8' : 'latin1'));

const field = fc.constantFrom(
  'protocol',
  'id',
  'ts',
  'from',
  'to',
  'kind',
  'correlationId',
  'correlation_id',
  'context',
  'payload',
  '__proto__',
);
const value = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.constantFrom(
    'null',
    '1e400',
    '123456789012345678901234567890',
    '-0',
    '""',
    '"\\ud800"',
    '{"__proto__":1}',
    '[[[]]]',
  ),
  fc.constantFrom(
    '"mcp.request.tools/call"',
    '"mcp/proposal"',
    '"proposal"',
    '"system"',
    '"mew/v0.4"',
    '"chat"',
  ),
);
const objects = fc
  .array(fc.tuple(field, value), { maxLength: 10 })
  .map((fields) => `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`);

const edit = fc.oneof(
  fc.tuple(fc.nat(), fc.constantFrom(...Array.from('{}[]",:\\0eE+-. \n\u{0}\u{202e}\u{d800}*/'))),
  fc.tuple(fc.nat(), fc.oneof(value, fc.string({ maxLength: 6 }))),
);
const mutated = fc
  .tuple(envelope, fc.constantFrom(...dialects), fc.array(edit, { maxLength: 3 }), fc.boolean())
  .map(([whole, dialect, edits, insert]) => {
    let text = JSON.stringify(encodeEnvelope(whole, dialect));
    for (const [where, what] of edits) {
      const at = where % (text.length + 1);
      text = text.slice(0, at) + what + text.slice(insert ? at : at + what.length);
    }
    return text;
  });

/** Values swapped inside a valid message, so that it stays JSON and reaches its kind's checks. */
const bent = fc
  .tuple(envelope, fc.constantFrom(...dialects), fc.nat(), value)
  .map(([whole, dialect, where, json]) => {
    const text = JSON.stringify(encodeEnvelope(whole, dialect));
    const values = [
      ...text.matchAll(/(?<=:)(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|\{\}|\[\])/g),
    ];
    const match = values[where % Math.max(values.length, 1)];
    if (match === undefined) return text;
    return text.slice(0, match.index) + json + text.slice(match.index + match[0].length);
  });

describe('readMessage', () => {
  it.each([
    ['bytes', bytes],
    ['JSON', fc.oneof(fc.json(), objects)],
    ['mutated messages', fc.oneof(mutated, bent)],
  ])('O-5: any %s give a result, never an exception', { timeout }, (what, texts) => {
    const { milliseconds, length } = readAll(texts);
    process.stdout.write(
      `slowest of ${numRuns} ${what}: ${milliseconds.toFixed(2)} ms for ${length} characters\n`,
    );
    expect(length).toBeGreaterThan(0);
  });
});
