import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json/json.js';
import type { DialectName } from './dialects/dialect.js';
import type { Envelope } from './envelope.js';
import { decodeEnvelope, type EnvelopeReading, encodeEnvelope } from './read.js';
import { NOW } from './testing/reading.js';

interface Fixture {
  readonly source: string;
  readonly description: string;
  readonly dialect: DialectName;
  readonly message: JsonObject;
  readonly expect: {
    readonly envelope?: Envelope;
    /** Fields that come back in another spelling, if the text uses a synonym. */
    readonly encoded?: JsonObject;
    readonly refusal?: { readonly code: string; readonly field: string; readonly says?: string };
  };
}

const folder = fileURLToPath(new URL('../../../../conformance/fixtures/seeds/', import.meta.url));
const fixtures = readdirSync(folder).map(
  (file) => [file, JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Fixture] as const,
);
const readable = fixtures.flatMap(
  ([
    file,
    {
      expect: { envelope, encoded },
      ...fixture
    },
  ]) => (envelope === undefined ? [] : [[file, { ...fixture, envelope, encoded }] as const]),
);
const refused = fixtures.flatMap(
  ([
    file,
    {
      expect: { refusal },
      ...fixture
    },
  ]) => (refusal === undefined ? [] : [[file, { ...fixture, refusal }] as const]),
);

function read({ message }: Pick<Fixture, 'message'>): EnvelopeReading {
  const from = typeof message['from'] === 'string' ? message['from'] : 'sender';
  return decodeEnvelope(message, { from, now: NOW, fallbackId: 'message-1' });
}

describe('the examples of the drafts', () => {
  it('O-7: are all here, each with its expected result', () => {
    expect([fixtures.length, readable.length, refused.length]).toStrictEqual([43, 26, 17]);
  });

  it.each(readable)('O-1, O-7: %s is read into the canonical form', (_, fixture) => {
    const { envelope, dialect } = fixture;
    const reading = read(fixture);
    if (!reading.ok) throw new Error(reading.refusal.message);
    expect({ ...reading.value.envelope }).toStrictEqual(envelope);
    expect(reading.value.dialect).toBe(dialect);
  });

  it.each(readable)('O-7: %s is written back unchanged', (_, { envelope, dialect, message, encoded }) => {
    const { protocol, id, ts, from } = envelope;
    const whole = { protocol, id, ts, from, ...message, ...encoded };
    expect(encodeEnvelope(envelope, dialect)).toStrictEqual(whole);
  });

  it.each(refused)('O-5, O-6: %s is refused with a helpful message', (_, fixture) => {
    const { code, field, says = '' } = fixture.refusal;
    expect(read(fixture)).toMatchObject({
      ok: false,
      dialect: fixture.dialect,
      refusal: { code, details: { field }, message: expect.stringContaining(says) as string },
    });
  });
});
