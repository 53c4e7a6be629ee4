import {
  type MacpEnvelope,
  PROPOSAL_MODE,
  type ProposalModePayloads,
  readEnvelope,
  type SessionPayloads,
} from '@proffer/core/negotiation';
import { describe, expect, it } from 'vitest';
import { decodeEnvelope, decodePayload, encodeEnvelope, encodePayload } from './envelope.js';

type Payloads = SessionPayloads & ProposalModePayloads;

const PAYLOADS: { readonly [Type in keyof Payloads]: Payloads[Type] } = {
  SessionStart: {
    intent: 'negotiate',
    participants: ['buyer', 'seller'],
    mode_version: '1.0.0',
    configuration_version: 'c',
    policy_version: 'policy.default',
    ttl_ms: 86_400_000,
    roots: [{ uri: 'file:///a', name: '' }],
    context_id: 'x',
    extensions: { 'a.b': 'AQI=' },
    max_suspend_ms: 1_000,
  },
  Proposal: { proposal_id: 'p', title: 't', summary: 's', details: 'AAH/', tags: ['a', ''] },
  CounterProposal: { proposal_id: 'p', supersedes_proposal_id: 'o', title: '', summary: '', details: '' },
  Accept: { proposal_id: 'p', reason: 'ja, gern: ü' },
  Reject: { proposal_id: 'p', terminal: true, reason: '' },
  Withdraw: { proposal_id: 'p', reason: '' },
  Commitment: {
    commitment_id: 'c',
    action: 'a',
    authority_scope: 's',
    reason: 'r',
    mode_version: '1.0.0',
    policy_version: '',
    configuration_version: 'c',
    outcome_positive: true,
    supersedes: { session_id: 's', commitment_hash: 'h' },
  },
  SessionCancel: { reason: 'r', cancelled_by: 'me' },
  SessionSuspend: { reason: 'r', suspended_by: 'me' },
  SessionResume: { reason: 'r', resumed_by: 'me', banked_ms: 5 },
  TtlExpired: {},
};

function envelope(
  message_type: string,
  payload: MacpEnvelope['payload'],
  mode: string = PROPOSAL_MODE,
): MacpEnvelope {
  return {
    macp_version: '1.0',
    mode,
    message_type,
    message_id: 'm',
    session_id: 's',
    sender: 'buyer',
    timestamp_unix_ms: -1,
    payload,
  };
}

describe('envelopes', () => {
  it.each(Object.keys(PAYLOADS) as (keyof Payloads)[])(
    'N-12: %s means the same on the wire as in the rules',
    (type) => {
      const sent = envelope(type, PAYLOADS[type]);
      const decoded = decodeEnvelope(encodeEnvelope(sent));
      expect(decoded.envelope).toEqual(sent);
      expect(decoded.unreadable).toBeUndefined();
      expect(readEnvelope(decoded.envelope)).toEqual({ ok: true, value: sent });
    },
  );

  it('N-3: an unreadable payload is refused, naming the field, and its bytes are counted', () => {
    const wire = { ...encodeEnvelope(envelope('Accept', {})), payload: Buffer.from('120261', 'hex') };
    expect(decodeEnvelope(wire)).toMatchObject({
      envelope: { message_type: 'Accept', payload: {} },
      payloadBytes: 3,
      unreadable: { code: 'INVALID_ENVELOPE', details: { field: 'payload.reason' } },
    });
  });

  it.each([
    ['no bytes', Buffer.of(), { bytes: '' }],
    ['bytes that are no text', Buffer.of(255), { bytes: '/w==' }],
    ['canonical JSON', Buffer.from('{"a":[1,"€"],"b":{}}'), { a: [1, '€'], b: {} }],
    ['JSON that is written otherwise', Buffer.from('{"a": 1}'), { bytes: 'eyJhIjogMX0=' }],
    ['a number that JSON would change', Buffer.from('{"a":1.0}'), { bytes: 'eyJhIjoxLjB9' }],
    ['JSON that looks like bytes', Buffer.from('{"bytes":"AA=="}'), { bytes: 'eyJieXRlcyI6IkFBPT0ifQ==' }],
    ['text', Buffer.from('sold'), { bytes: 'c29sZA==' }],
    ['a list', Buffer.from('[1]'), { bytes: 'WzFd' }],
  ])('N-31: in modes of others, %s are kept as they came', (_what, payload, read) => {
    const wire = { ...encodeEnvelope(envelope('Bid', {}, 'ext.auction.v1')), payload };
    const decoded = decodeEnvelope(wire);
    expect(decoded).toEqual({
      envelope: envelope('Bid', read, 'ext.auction.v1'),
      payloadBytes: payload.length,
    });
    expect(Buffer.from(encodeEnvelope(decoded.envelope).payload)).toEqual(payload);
  });

  it('N-3: payloads of unknown messages are not read', () => {
    expect(decodePayload({ mode: '', message_type: 'toString' }, Buffer.of(255))).toEqual({
      ok: true,
      value: {},
    });
  });

  it('a payload can be read and written on its own', () => {
    const kind = { mode: PROPOSAL_MODE, message_type: 'Accept' };
    const bytes = encodePayload(kind, { proposal_id: 'p1', reason: '' });
    expect(Buffer.from(bytes).toString('hex')).toBe('0a027031');
    expect(decodePayload(kind, bytes)).toEqual({ ok: true, value: { proposal_id: 'p1', reason: '' } });
  });
});
