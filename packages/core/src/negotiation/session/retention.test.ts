import { describe, expect, it } from 'vitest';
import { mayRemoveSession } from '../retention.js';
import { sessionStream } from '../streams.js';

const session = sessionStream('00000000-0000-4000-8000-000000000000');

/** The end of a stream, as far as retention cares. */
function last(type: string, message_type = '', stream = session) {
  const sealed = { schema: 1, stream, version: 3, time: 0, principal: 'ann', prev: '', hash: '' } as const;
  return { ...sealed, type, envelope: { message_type, payload: {} }, facts: {} };
}

describe('retention of sessions', () => {
  it.each([
    ['message_accepted', 'Commitment'],
    ['session_cancelled', 'SessionCancel'],
    ['session_expired', 'TtlExpired'],
  ])('N-4: a session that ended with %s %s may be removed', (type, message) => {
    expect(mayRemoveSession(last(type, message))).toBe(true);
  });

  it.each([
    ['session_started', 'SessionStart'],
    ['session_suspended', 'SessionSuspend'],
    ['session_resumed', 'SessionResume'],
    ['message_accepted', 'Reject'],
    ['message_accepted', 'Accept'],
  ])('N-4: an unfinished one stays, whatever its last record: %s %s', (type, message) => {
    expect(mayRemoveSession(last(type, message))).toBe(false);
  });

  it('N-13: the registries stay', () => {
    expect(mayRemoveSession(last('session_cancelled', '', 'system:macp/policies'))).toBe(false);
    expect(mayRemoveSession(last('session_cancelled', '', 'main/proposal/x'))).toBe(false);
  });
});
