import { create, type DescMessage, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codecOf } from './codec.js';
import { CapabilitiesSchema } from './gen/macp/v1/capabilities_pb.js';
import { AckSchema, EnvelopeSchema, MACPErrorSchema, SessionState } from './gen/macp/v1/envelope_pb.js';
import { ModeDescriptorSchema } from './gen/macp/v1/modes_pb.js';
import {
  CommitmentPayloadSchema,
  SessionStartPayloadSchema,
  SignalPayloadSchema,
} from './gen/macp/v1/payloads_pb.js';
import { PolicyDescriptorSchema } from './gen/macp/v1/policy_pb.js';
import {
  SessionMetadataSchema,
  StreamSessionRequestSchema,
  StreamSessionResponseSchema,
} from './gen/macp/v1/sessions_pb.js';

const runs = process.env['PROFFER_LONG'] === undefined ? 100 : 20_000;

const text = fc.string({ unit: 'binary', maxLength: 60 });
const names = fc.array(text, { maxLength: 5 });
const whole = fc.maxSafeInteger().map(BigInt);
const natural = fc.maxSafeNat().map(BigInt);
const bytes = fc.uint8Array({ maxLength: 150 });
const key = text.filter((name) => name !== '__proto__');

const envelope = fc.record({
  macpVersion: text,
  mode: text,
  messageType: text,
  messageId: text,
  sessionId: text,
  sender: text,
  timestampUnixMs: whole,
  payload: bytes,
});
const error = fc.record({ code: text, message: text, sessionId: text, messageId: text });

/** Messages with every kind of field, as the generated code takes them. */
const CASES: readonly (readonly [string, DescMessage, fc.Arbitrary<object>])[] = [
  ['Envelope', EnvelopeSchema, envelope],
  ['MACPError', MACPErrorSchema, error],
  [
    'Ack',
    AckSchema,
    fc.record({
      ok: fc.boolean(),
      duplicate: fc.boolean(),
      messageId: text,
      sessionId: text,
      acceptedAtUnixMs: whole,
      sessionState: fc.constantFrom(
        SessionState.OPEN,
        SessionState.UNSPECIFIED,
        SessionState.CANCELLED,
        77,
        -3,
      ),
      error: fc.option(error, { nil: undefined }),
    }),
  ],
  [
    'SessionStartPayload',
    SessionStartPayloadSchema,
    fc.record({
      intent: text,
      participants: names,
      modeVersion: text,
      ttlMs: whole,
      roots: fc.array(fc.record({ uri: text, name: text }), { maxLength: 3 }),
      extensions: fc.dictionary(key, bytes, { maxKeys: 4, noNullPrototype: true }),
    }),
  ],
  [
    'CommitmentPayload',
    CommitmentPayloadSchema,
    fc.record({
      commitmentId: text,
      outcomePositive: fc.boolean(),
      supersedes: fc.option(fc.record({ sessionId: text, commitmentHash: text }), { nil: undefined }),
    }),
  ],
  [
    'SignalPayload',
    SignalPayloadSchema,
    fc.record({
      signalType: text,
      data: bytes,
      confidence: fc.double({ noNaN: true, noDefaultInfinity: true }),
    }),
  ],
  [
    'SessionMetadata',
    SessionMetadataSchema,
    fc.record({
      sessionId: text,
      state: fc.constantFrom(0, 1, 2, 3, 4, 5),
      startedAtUnixMs: whole,
      participants: names,
      participantActivity: fc.array(
        fc.record({ participantId: text, lastMessageAtUnixMs: whole, messageCount: fc.nat(2 ** 31 - 1) }),
        { maxLength: 3 },
      ),
    }),
  ],
  [
    'PolicyDescriptor',
    PolicyDescriptorSchema,
    fc.record({ policyId: text, rules: text, schemaVersion: fc.nat(2 ** 31 - 1), registeredAtUnixMs: whole }),
  ],
  [
    'ModeDescriptor',
    ModeDescriptorSchema,
    fc.record({
      mode: text,
      messageTypes: names,
      schemaUris: fc.dictionary(key, text, { maxKeys: 4, noNullPrototype: true }),
    }),
  ],
  [
    'StreamSessionRequest',
    StreamSessionRequestSchema,
    fc.record({
      envelope: fc.option(envelope, { nil: undefined }),
      subscribeSessionId: text,
      afterSequence: natural,
    }),
  ],
  [
    'StreamSessionResponse',
    StreamSessionResponseSchema,
    fc.oneof(
      envelope.map((value) => ({ response: { case: 'envelope', value } })),
      error.map((value) => ({ response: { case: 'error', value } })),
    ),
  ],
  [
    'Capabilities',
    CapabilitiesSchema,
    fc.record({
      sessions: fc.record({ stream: fc.boolean(), listSessions: fc.boolean() }),
      experimental: fc.record({ features: fc.dictionary(key, text, { maxKeys: 3, noNullPrototype: true }) }),
    }),
  ],
];

describe('the codec', () => {
  it.each(CASES)('is compatible with the library in both directions: %s', (_, schema, values) => {
    const codec = codecOf(schema);
    fc.assert(
      fc.property(values, (value) => {
        const message = create(schema, value as MessageInitShape<typeof schema>);
        const written = toBinary(schema, message);
        const read = codec.read(written);
        expect(read).toMatchObject({ ok: true });
        if (!read.ok) return;
        const again = codec.write(read.value);
        expect(fromBinary(schema, new Uint8Array(again))).toEqual(fromBinary(schema, written));
        expect(codec.read(again)).toEqual(read);
      }),
      { numRuns: runs },
    );
  });

  it.each(CASES)('never throws on arbitrary bytes: %s', (_, schema, values) => {
    const codec = codecOf(schema);
    fc.assert(
      fc.property(
        values,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 5 }),
        fc.nat(),
        (value, damage, cut) => {
          const written = toBinary(schema, create(schema, value as MessageInitShape<typeof schema>));
          for (const [at, byte] of damage) if (written.length > 0) written[at % written.length] = byte;
          const kept = cut % 3 === 0 ? written.subarray(0, cut % (written.length + 1)) : written;
          const read = codec.read(kept);
          if (read.ok) expect(codec.read(codec.write(read.value))).toEqual(read);
          else
            expect(read.refusal).toMatchObject({
              code: 'INVALID_ENVELOPE',
              details: { found: expect.any(String) },
            });
        },
      ),
      { numRuns: runs },
    );
  });

  it.each([
    ['a number of another wire type', '3a0101', 'timestamp_unix_ms', 'wire type 2'],
    ['a text that is not UTF-8', '0a02c328', 'macp_version', 'bytes that are not UTF-8'],
    ['a length beyond the end', '0aff01', 'macp_version', 'bytes that end too early'],
    ['a length of 2 GB', '0affffffff07', 'macp_version', 'bytes that end too early'],
    ['a number beyond 53 bits', '38ffffffffffffffff7f', 'timestamp_unix_ms', '9223372036854776000'],
    [
      'a number of eleven bytes',
      `38${'ff'.repeat(11)}`,
      'timestamp_unix_ms',
      'a number of more than ten bytes',
    ],
    ['field number 0', '0001', '', 'a field with the number 0'],
    ['the end of a group that did not start', '54', '', 'wire type 4'],
    ['groups without end', '53'.repeat(40), '', 'groups inside groups'],
  ])('rejects %s, naming the field', (_, hex, field, found) => {
    const read = codecOf(EnvelopeSchema).read(Buffer.from(hex, 'hex'));
    expect(read).toMatchObject({
      ok: false,
      refusal: { code: 'INVALID_ENVELOPE', details: { field, found } },
    });
  });

  it('names the position in lists, maps and nested messages', () => {
    const start = codecOf(SessionStartPayloadSchema);
    const fieldOf = (hex: string): unknown => {
      const read = start.read(Buffer.from(hex, 'hex'));
      return read.ok ? undefined : read.refusal.details['field'];
    };
    expect(fieldOf('1201611201ff')).toBe('participants[1]');
    expect(fieldOf('3a030a01ff')).toBe('roots[0].uri');
    expect(fieldOf('4a0b0a095f5f70726f746f5f5f')).toBe('extensions');
  });

  it('distinguishes texts with as many bytes as the cached text has characters', () => {
    const codec = codecOf(MACPErrorSchema);
    for (const message of ['abcd', 'abce', 'abcd', 'Ã¤bc', 'äbc', 'äbc', 'Ã¤bc', '', 'abcd']) {
      const written = toBinary(MACPErrorSchema, create(MACPErrorSchema, { message }));
      expect(codec.read(written)).toMatchObject({ ok: true, value: { message } });
    }
  });

  it('skips unknown fields of every wire type', () => {
    const unknown = 'a00105a1010102030405060708a2010141a30108014b4ca401a50101020304';
    const read = codecOf(EnvelopeSchema).read(
      Buffer.from(`0a01 61${unknown}12 0162`.replaceAll(' ', ''), 'hex'),
    );
    expect(read).toMatchObject({ ok: true, value: { macp_version: 'a', mode: 'b' } });
  });

  it('merges a repeated message, and takes the last of repeated values', () => {
    const read = codecOf(StreamSessionRequestSchema).read(
      Buffer.from('0a030a01610a031201620a030a0163', 'hex'),
    );
    expect(read).toMatchObject({ ok: true, value: { envelope: { macp_version: 'c', mode: 'b' } } });
  });

  it('writes large messages, then small ones', () => {
    const codec = codecOf(EnvelopeSchema);
    const empty = codec.read(new Uint8Array());
    if (!empty.ok) throw new Error(empty.refusal.message);
    const payload = Buffer.alloc(6_000_000, 7);
    const sender = 'ü'.repeat(100_000);
    const large = codec.read(codec.write({ ...empty.value, sender, payload }, 5).subarray(5));
    // `toEqual` compares element by element and would take half a minute.
    expect(large.ok && large.value.sender === sender && payload.equals(large.value.payload)).toBe(true);
    expect(codec.write({ ...empty.value, mode: 'm' }).toString('hex')).toBe('12016d');
  });

  it('keeps details that are not JSON as base64', () => {
    const read = codecOf(MACPErrorSchema).read(Buffer.from('2a02fffe', 'hex'));
    expect(read).toMatchObject({ ok: true, value: { details: { bytes: '//4=' } } });
  });
});
