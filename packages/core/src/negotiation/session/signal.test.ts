import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json/json.js';
import { refuse } from '../../refusal/refusal.js';
import { PROPOSAL_MODE } from '../modes/proposal/name.js';
import { callerNamed, SESSION_ID } from '../testing/steps.js';
import { MACP_VERSION, type MacpEnvelope } from '../wire/macp-envelope.js';
import { readSignal } from './signal.js';

const signal = (change: Partial<MacpEnvelope> = {}): MacpEnvelope => ({
  macp_version: MACP_VERSION,
  mode: '',
  message_type: 'Signal',
  message_id: 'm1',
  session_id: '',
  sender: 'feed',
  timestamp_unix_ms: 0,
  payload: { signal_type: 'price.moved' },
  ...change,
});
const feed = callerNamed('feed');

describe('a signal', () => {
  it('is passed on with defaults filled in', () => {
    expect(readSignal(feed, signal())).toMatchObject({
      ok: true,
      value: { payload: { signal_type: 'price.moved', data: '', confidence: 0, correlation_session_id: '' } },
    });
  });

  it('or a progress report, which needs no type', () => {
    const payload = { progress_token: 't1', progress: 0.5 };
    expect(readSignal(feed, signal({ message_type: 'Progress', payload }))).toMatchObject({
      ok: true,
      value: {
        message_type: 'Progress',
        payload: { ...payload, total: 0, message: '', target_message_id: '' },
      },
    });
    const inSession = signal({ message_type: 'Progress', payload, session_id: SESSION_ID });
    expect(readSignal(feed, inSession)).toMatchObject({ refusal: { code: 'INVALID_ENVELOPE' } });
    const malformed = signal({ message_type: 'Progress', payload: { progress: 'half' } });
    expect(readSignal(feed, malformed)).toMatchObject({ refusal: { code: 'INVALID_ENVELOPE' } });
  });

  it('N-7: without a sender is from the authenticated principal', () => {
    expect(readSignal(feed, signal({ sender: '' }))).toMatchObject({ value: { sender: 'feed' } });
  });

  it.each<[string, string, Partial<MacpEnvelope>]>([
    ['N-3: another version', 'UNSUPPORTED_PROTOCOL_VERSION', { macp_version: '2.0' }],
    ['N-7: another sender', 'UNAUTHENTICATED', { sender: 'mallory' }],
    ['a session', 'INVALID_ENVELOPE', { session_id: SESSION_ID }],
    ['a mode', 'INVALID_ENVELOPE', { mode: PROPOSAL_MODE }],
    ['no type', 'INVALID_ENVELOPE', { payload: {} }],
    ['a blank type', 'INVALID_ENVELOPE', { payload: { signal_type: ' ' } }],
    [
      'a confidence that is not a number',
      'INVALID_ENVELOPE',
      { payload: { signal_type: 'x', confidence: 'high' } },
    ],
  ])('with %s is %s', (_title, code, change) => {
    expect(readSignal(feed, signal(change))).toMatchObject({ refusal: { code } });
  });

  it('with a token for other modes is FORBIDDEN', () => {
    const limited = callerNamed('feed', { allowedModes: [PROPOSAL_MODE] });
    expect(readSignal(limited, signal())).toMatchObject({ refusal: { code: 'FORBIDDEN' } });
  });

  it('checks who may send it before whether it is readable', () => {
    const unreadable = refuse('INVALID_ENVELOPE', 'The payload is no payload.');
    expect(readSignal(feed, signal(), unreadable)).toEqual({ ok: false, refusal: unreadable });
    const foreign = signal({ sender: 'mallory', payload: {} satisfies JsonObject });
    expect(readSignal(feed, foreign, unreadable)).toMatchObject({ refusal: { code: 'UNAUTHENTICATED' } });
    expect(readSignal(callerNamed('feed', { allowedModes: [''] }), signal()).ok).toBe(true);
  });
});
