import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../json/json.js';
import { PROPOSAL_MODE } from '../modes/proposal/name.js';
import { readEnvelope } from '../modes/read-envelope.js';
import { sessionDecider } from '../session/decide.js';
import { given } from '../testing/given.js';
import { callerNamed, start } from '../testing/steps.js';
import { parseMacpEnvelope } from './macp-envelope.js';

const RUNS = 500 * (process.env['PROFFER_LONG'] === undefined ? 1 : 10);
const TYPES = ['SessionStart', 'Proposal', 'CounterProposal', 'Accept', 'Reject', 'Withdraw', 'Commitment'];

const smallest = { message_type: 'Accept', message_id: 'm1' };

describe('envelopes', () => {
  it("N-3, N-7: unset fields have protobuf's defaults; unknown fields are ignored", () => {
    expect(parseMacpEnvelope({ ...smallest, mode: null, trace: 7 })).toEqual({
      ok: true,
      value: {
        ...smallest,
        macp_version: '',
        mode: '',
        session_id: '',
        sender: '',
        timestamp_unix_ms: 0,
        payload: {},
      },
    });
  });

  it('N-12: unknown fields are dropped, even from an otherwise valid envelope', () => {
    const payload = { proposal_id: 'p1', reason: '' };
    const right = { ...smallest, macp_version: '1.0', mode: 'm', session_id: 's', sender: 'buyer' };
    const whole = { ...right, timestamp_unix_ms: 1, payload };
    expect(parseMacpEnvelope(whole)).toEqual({ ok: true, value: whole });
    expect(parseMacpEnvelope({ ...whole, trace: 7 })).toEqual({ ok: true, value: whole });
    const { mode: _, ...incomplete } = whole;
    expect(parseMacpEnvelope({ ...incomplete, trace: 7 })).toEqual({
      ok: true,
      value: { ...whole, mode: '' },
    });
    expect(parsePayload('Accept', payload)).toEqual({ ok: true, value: payload });
    expect(parsePayload('Accept', { ...payload, trace: 7 })).toEqual({ ok: true, value: payload });
  });

  it.each<[string, JsonValue, string]>([
    ['no message type', { ...smallest, message_type: '' }, 'message_type'],
    ['no message id', { message_type: 'Accept' }, 'message_id'],
    ['a message id that is too long', { ...smallest, message_id: 'm'.repeat(257) }, 'message_id'],
    ['a sender that is not text', { ...smallest, sender: ['buyer'] }, 'sender'],
    ['half a millisecond', { ...smallest, timestamp_unix_ms: 0.5 }, 'timestamp_unix_ms'],
    ['a payload that is a list', { ...smallest, payload: [] }, 'payload'],
    ['not an object', 'envelope', ''],
  ])('N-6: %s is refused, naming the field', (_, value, field) => {
    expect(parseMacpEnvelope(value)).toMatchObject({
      refusal: { code: 'INVALID_ENVELOPE', details: { field } },
    });
  });
});

function parsePayload(message_type: string, payload: JsonObject) {
  const parsed = parseMacpEnvelope({ ...smallest, mode: PROPOSAL_MODE, message_type, payload });
  const read = parsed.ok ? readEnvelope(parsed.value) : parsed;
  return read.ok ? { ok: true, value: read.value.payload } : read;
}

describe('payloads', () => {
  it('N-12: a proposal id has at most 256 characters, because the session remembers it', () => {
    expect(parsePayload('Proposal', { proposal_id: 'p'.repeat(256) }).ok).toBe(true);
    expect(parsePayload('Accept', { proposal_id: 'p'.repeat(257) })).toMatchObject({
      refusal: { code: 'INVALID_ENVELOPE', details: { field: 'payload.proposal_id' } },
    });
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['Proposal', { proposal_id: 'p' }, { proposal_id: 'p', title: '', summary: '', details: '', tags: [] }],
    ['Reject', { proposal_id: 'p', extra: {} }, { proposal_id: 'p', terminal: false, reason: '' }],
    ['SessionResume', {}, { reason: '', resumed_by: '', banked_ms: 0 }],
    ['TtlExpired', { anything: 1 }, {}],
  ])('N-12: %s with unset fields filled in', (type, payload, value) => {
    expect(parsePayload(type, payload)).toEqual({ ok: true, value });
  });

  it('N-12: built-in property names are not message types', () => {
    for (const type of ['constructor', 'toString', '__proto__', 'Vote']) {
      expect(parsePayload(type, {})).toMatchObject({ refusal: { details: { field: 'message_type' } } });
    }
  });

  it('I-5: arbitrary JSON is read or refused, never throws', () => {
    const story = given(start());
    const context = { now: story.now, policies: () => undefined };
    fc.assert(
      fc.property(
        fc.constantFrom(...TYPES),
        fc.jsonValue(),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (...it) => {
          const [message_type, value, payload] = it as [string, JsonValue, JsonObject];
          expect(parseMacpEnvelope(value)).toHaveProperty('ok');
          const parsed = parseMacpEnvelope({
            ...story.records[0]?.envelope,
            message_id: 'x',
            message_type,
            payload,
          });
          if (!parsed.ok) throw new Error(parsed.refusal.message);
          const decision = sessionDecider.decide(
            story.state,
            { type: 'send', caller: callerNamed('buyer'), envelope: parsed.value },
            context,
          );
          expect(decision.refused).toBeDefined();
        },
      ),
      { numRuns: RUNS },
    );
  });
});
