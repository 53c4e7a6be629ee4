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

  it('N-3: payloads of unknown modes are not read', () => {
    const wire = {
      ...encodeEnvelope(envelope('Proposal', {}, 'macp.mode.auction.v1')),
      payload: Buffer.of(255),
    };
    expect(decodeEnvelope(wire)).toEqual({
      envelope: envelope('Proposal', {}, 'macp.mode.auction.v1'),
      payloadBytes: 1,
    });
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
