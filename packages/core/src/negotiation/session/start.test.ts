import { describe, expect, it } from 'vitest';
import { BEGINNING, given, sessionOf } from '../testing/given.js';
import { as, callerNamed, control, SESSION_ID, send, start, startPayload } from '../testing/steps.js';
import { checkPayloadSize } from '../wire/payload-size.js';
import { describeSession } from './reading.js';

const DAY = 86_400_000;
const names = (count: number) => Array.from({ length: count }, (_, index) => `agent-${index}`);

describe('SessionStart', () => {
  it.each([
    ['no intent', { intent: '' }, 'payload.intent'],
    ['no participants', { participants: [] }, 'payload.participants'],
    ['a participant twice', { participants: ['buyer', 'buyer'] }, 'payload.participants'],
    ['too many participants', { participants: names(1001) }, 'payload.participants'],
    ['a blank participant', { participants: ['buyer', ' '] }, 'payload.participants[1]'],
    ['an invisible participant', { participants: ['\u{200b}'] }, 'payload.participants[0]'],
    [
      'a participant that looks like another',
      { participants: ['buyer', 'buyer\u{ad}'] },
      'payload.participants[1]',
    ],
    ['a participant with a space', { participants: ['buyer', ' seller'] }, 'payload.participants[1]'],
    ['a name of 257 characters', { participants: ['buyer', 'x'.repeat(257)] }, 'payload.participants[1]'],
    ['a participant with the name of the runtime', { participants: ['_runtime'] }, 'payload.participants[0]'],
    ['participants that are not a list', { participants: 'buyer' }, 'payload.participants'],
    ['no mode version', { mode_version: '' }, 'payload.mode_version'],
    ['no configuration version', { configuration_version: ' ' }, 'payload.configuration_version'],
    ['no time to live', { ttl_ms: 0 }, 'payload.ttl_ms'],
    ['more than a day to live', { ttl_ms: DAY + 1 }, 'payload.ttl_ms'],
    ['half a millisecond', { ttl_ms: 1.5 }, 'payload.ttl_ms'],
    ['a time to live as text', { ttl_ms: '60000' }, 'payload.ttl_ms'],
    ['a root without address', { roots: [{ name: 'home' }] }, 'payload.roots[0].uri'],
    ['an extension that is not base64', { extensions: { x: '%' } }, 'payload.extensions.x'],
  ])('N-1: %s is refused, naming the field', (_, change, field) => {
    const { result, decision } = given().when(start(change));
    expect(result).toBe('INVALID_ENVELOPE');
    expect(decision.refused?.details).toMatchObject({ field });
  });

  it('N-1: binds what it names, keeps extensions verbatim and ignores unknown fields', () => {
    const story = given(
      start({
        participants: names(1000),
        ttl_ms: DAY,
        context_id: 'deal-7',
        extensions: { 'x.b': 'AQI=', 'x.a': '' },
        roots: [{ uri: 'file:///a' }],
        unknown: 1,
      }),
    );
    expect(story.records[0]?.envelope.payload).toEqual({
      ...startPayload({ participants: names(1000), ttl_ms: DAY }),
      context_id: 'deal-7',
      extensions: { 'x.b': 'AQI=', 'x.a': '' },
      roots: [{ uri: 'file:///a', name: '' }],
    });
    expect(describeSession(sessionOf(story), story.now)).toMatchObject({
      session_id: SESSION_ID,
      state: 'OPEN',
      started_at_unix_ms: BEGINNING,
      expires_at_unix_ms: BEGINNING + DAY,
      policy_version: 'policy.default',
      initiator: 'buyer',
      context_id: 'deal-7',
      extension_keys: ['x.a', 'x.b'],
      participant_activity: [
        { participant_id: 'buyer', message_count: 1, last_message_at_unix_ms: BEGINNING },
      ],
    });
  });

  it('N-1: accepts names as in MACP, and in any script, up to 256 characters', () => {
    const participants = ['agent://buyer', 'Łódź-日本語', 'x'.repeat(256)];
    expect(given().when(start({ participants }, 'agent://buyer')).result).toBe('accepted');
  });

  it("N-1: an initiator's name must be visible, too", () => {
    const by = callerNamed('dev', { actAs: 'anyone' });
    const step = send('\u{200b}', 'SessionStart', startPayload(), { by });
    expect(given().when(step).decision.refused).toMatchObject({
      code: 'INVALID_ENVELOPE',
      details: { field: 'sender', found: '"\\u{200b}"' },
    });
  });

  it.each([
    ['a UUID v4', '7f1b1a52-9f0e-4b6e-9d7c-0123456789ab', 'accepted'],
    ['a UUID v7', '0190a5c2-7b1e-7c3d-8f00-0123456789ab', 'accepted'],
    ['22 base64url characters', 'abcdefghijklmnopqrst_-', 'accepted'],
    ['21 base64url characters', 'abcdefghijklmnopqrst_', 'INVALID_SESSION_ID'],
    ['128 base64url characters', 'a'.repeat(128), 'accepted'],
    ['more than 128 characters', 'a'.repeat(129), 'INVALID_SESSION_ID'],
    ['a UUID in upper case', '7F1B1A52-9F0E-4B6E-9D7C-0123456789AB', 'INVALID_SESSION_ID'],
    ['a UUID v1', '7f1b1a52-9f0e-1b6e-9d7c-0123456789ab', 'INVALID_SESSION_ID'],
    ['a readable name', 'the session about the contract', 'INVALID_SESSION_ID'],
    ['nothing', '', 'INVALID_SESSION_ID'],
  ])('N-2: %s as session id', (_, session_id, expected) => {
    const step = send('buyer', 'SessionStart', startPayload(), { change: { session_id } });
    expect(given().when(step).result).toBe(expected);
  });

  it('N-2: a second start is refused, whatever its message id, even when the session has ended', () => {
    const story = given(as('first', start()));
    expect(story.when(as('first', start())).result).toBe('SESSION_ALREADY_EXISTS');
    expect(story.when(as('other', start())).result).toBe('SESSION_ALREADY_EXISTS');
    expect(given(start(), control('cancel', 'buyer')).when(start()).result).toBe('SESSION_ALREADY_EXISTS');
  });

  it.each([
    ['another protocol version', { macp_version: '2.0' }, 'UNSUPPORTED_PROTOCOL_VERSION'],
    ['another mode', { mode: 'macp.mode.auction.v1' }, 'MODE_NOT_SUPPORTED'],
    ['no mode', { mode: '' }, 'MODE_NOT_SUPPORTED'],
    ['another mode version', { payload: startPayload({ mode_version: '2.0.0' }) }, 'MODE_NOT_SUPPORTED'],
    [
      'a policy that looks like a built-in one',
      { payload: startPayload({ policy_version: ' policy.default' }) },
      'UNKNOWN_POLICY_VERSION',
    ],
    ['an unknown policy', { payload: startPayload({ policy_version: 'p' }) }, 'UNKNOWN_POLICY_VERSION'],
  ])('N-3, N-13: %s', (_, change, expected) => {
    const step = send('buyer', 'SessionStart', startPayload(), { change });
    expect(given().when(step).result).toBe(expected);
  });

  it('N-3: a payload over the limit', () => {
    expect(checkPayloadSize(1_048_576)).toBeUndefined();
    expect(checkPayloadSize(1_048_577)?.code).toBe('PAYLOAD_TOO_LARGE');
    expect(checkPayloadSize(11, 10)?.details).toMatchObject({ found: 11 });
  });

  it.each([
    ['may not start sessions', { mayStartSessions: false }],
    ['does not cover the mode', { allowedModes: ['macp.mode.auction.v1'] }],
  ])('I-4: a token that %s', (_, flags) => {
    const step = send('buyer', 'SessionStart', startPayload(), { by: callerNamed('buyer', flags) });
    expect(given().when(step).result).toBe('FORBIDDEN');
    // The same message for a taken id: it does not learn which sessions exist.
    expect(given(start()).when(step).decision).toEqual(given().when(step).decision);
  });
});
