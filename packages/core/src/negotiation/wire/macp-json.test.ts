import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json/json.js';
import { failure, refuse, success } from '../../refusal/refusal.js';
import { acceptedAck, refusedAck } from './ack.js';
import { addressOf, type DecodePayload, readMacpJson, writeAckJson, writeMacpJson } from './macp-json.js';

const message = (change: JsonObject = {}): JsonObject => ({
  macp_version: '1.0',
  mode: 'macp.mode.proposal.v1',
  message_type: 'Accept',
  message_id: 'm1',
  session_id: 's1',
  sender: 'buyer',
  timestamp: '2026-01-02T03:04:05.678Z',
  payload: { proposal_id: 'p1' },
  ...change,
});

const decode: DecodePayload = ({ message_type }, base64) =>
  base64 === 'AQID'
    ? success({ decoded: message_type })
    : failure(refuse('INVALID_ENVELOPE', 'These bytes are no payload.'));

const { payload: _, ...bare } = message();

describe('the JSON form of an envelope', () => {
  it("N-3: is read into the same envelope as the wire's, with the size of its payload", () => {
    const read = readMacpJson(message(), decode);
    const { timestamp: __, ...rest } = message();
    expect(read).toEqual(
      success({ envelope: { ...rest, timestamp_unix_ms: 1_767_323_045_678 }, payloadBytes: 20 }),
    );
  });

  it('survives a round trip', () => {
    const read = readMacpJson(message(), decode);
    expect(read.ok && writeMacpJson(read.value.envelope)).toEqual(message());
  });

  it('N-3: has its payload as an object or as bytes', () => {
    expect(readMacpJson({ ...bare, payload_b64: 'AQID' }, decode)).toMatchObject({
      value: { envelope: { payload: { decoded: 'Accept' } }, payloadBytes: 3 },
    });
    expect(readMacpJson({ ...bare, payload_b64: 'AQ==' }, decode)).toMatchObject({
      value: { envelope: { payload: {} }, payloadBytes: 1, unreadable: { code: 'INVALID_ENVELOPE' } },
    });
    expect(readMacpJson(bare, decode)).toMatchObject({ value: { envelope: { payload: {} } } });
  });

  it.each<readonly [string, JsonObject, string]>([
    ['both payloads', { payload_b64: 'AQID' }, 'payload_b64'],
    ['a payload that is not an object', { payload: [] }, 'payload'],
    ['a time without an offset', { timestamp: '2026-01-02T03:04:05' }, 'timestamp'],
    ['a number for a time', { timestamp: 5 }, 'timestamp'],
    ['no message id', { message_id: '' }, 'message_id'],
  ])('refuses %s with INVALID_ENVELOPE, naming the field', (_title, change, field) => {
    const read = readMacpJson(message(change), decode);
    expect(read).toMatchObject({ refusal: { code: 'INVALID_ENVELOPE', details: { field } } });
  });

  it('refuses invalid base64, and anything but an object', () => {
    const wrong = { ...bare, payload_b64: '*' };
    expect(readMacpJson(wrong, decode)).toMatchObject({ refusal: { details: { field: 'payload_b64' } } });
    for (const value of [null, 'text', 5, []]) {
      expect(readMacpJson(value, decode)).toMatchObject({ refusal: { code: 'INVALID_ENVELOPE' } });
    }
  });

  it('accepts offsets and leap seconds, and writes only times that RFC 3339 can represent', () => {
    const timeOf = (timestamp: string): number | undefined => {
      const read = readMacpJson(message({ timestamp }), decode);
      return read.ok ? read.value.envelope.timestamp_unix_ms : undefined;
    };
    expect(timeOf('1970-01-01T01:00:00+01:00')).toBe(0);
    expect(timeOf('2016-12-31t23:59:60.5z')).toBe(Date.UTC(2017, 0, 1));
    const read = readMacpJson(message(), decode);
    for (const timestamp_unix_ms of [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]) {
      const written = read.ok && writeMacpJson({ ...read.value.envelope, timestamp_unix_ms });
      expect(readMacpJson(written || {}, decode).ok).toBe(true);
    }
  });
});

describe('an answer', () => {
  const address = { session_id: 's1', message_id: 'm1' };

  it('names the state like protobuf', () => {
    expect(writeAckJson(acceptedAck(address, { time: 5, state: 'OPEN', sequence: 1 }))).toEqual({
      ok: true,
      duplicate: false,
      ...address,
      accepted_at_unix_ms: 5,
      session_state: 'SESSION_STATE_OPEN',
      sequence: 1,
    });
  });

  it.each([
    ['unauthenticated', 'UNAUTHENTICATED'],
    ['rate_limited', 'RATE_LIMITED'],
    ['unavailable', 'INTERNAL_ERROR'],
    ['too_large', 'PAYLOAD_TOO_LARGE'],
    ['duplicate_key', 'INVALID_ENVELOPE'],
    ['SESSION_NOT_OPEN', 'SESSION_NOT_OPEN'],
  ] as const)('translates %s to %s, which MACP clients know', (code, expected) => {
    const ack = refusedAck(address, refuse(code, 'No.'));
    expect(ack).toMatchObject({
      ok: false,
      session_state: 'UNSPECIFIED',
      error: { ...address, code: expected },
    });
  });

  it('finds the ids of an unreadable message', () => {
    expect(addressOf(message({ session_id: 7 }))).toEqual({ session_id: '', message_id: 'm1' });
    expect(addressOf(null)).toEqual({ session_id: '', message_id: '' });
  });
});
