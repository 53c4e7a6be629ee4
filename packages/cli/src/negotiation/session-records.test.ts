import type { MacpEnvelope } from '@proffer/core/negotiation';
import { expect, it } from 'vitest';
import { recordOf } from './session-records.js';

const DAY = 86_400_000;

it.each([
  [undefined, 7 * DAY],
  [5_000, 5_000],
  [30 * DAY, 7 * DAY],
])('N-4: a session started with max_suspend_ms %s may be suspended for %i ms', (asked, expected) => {
  const envelope: MacpEnvelope = {
    macp_version: '1.0',
    mode: 'macp.mode.proposal.v1',
    message_type: 'SessionStart',
    message_id: 'm1',
    session_id: '2f0c1c3e-6f0e-4f4f-9a7b-0a3f6f1f2b11',
    sender: 'buyer',
    timestamp_unix_ms: 1,
    payload: {
      intent: 'a deal',
      participants: ['buyer', 'seller'],
      mode_version: '1.0.0',
      configuration_version: 'cfg-1',
      ttl_ms: 60_000,
      ...(asked === undefined ? {} : { max_suspend_ms: asked }),
    },
  };
  expect(recordOf(envelope, { rules: {} })).toMatchObject({ facts: { max_suspended_ms: expected } });
});
