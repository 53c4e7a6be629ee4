import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json/json.js';
import { accepted, message } from '../testing/reading.js';
import { itRefuses } from '../testing/refusals.js';

const grant = (payload: JsonObject) =>
  message('mcpx.grant.capability', { to: 'agent', capabilities: ['chat.message'], ...payload });

describe('grants and revocations', () => {
  it.each([
    ['O-41: for a session', grant({})],
    ['O-41: for a session of an agent', grant({ session: 's-1' })],
    ['O-41: until a time', grant({ until: '2026-11-17T12:00:00Z' })],
    ['O-41: until a time in milliseconds', grant({ until: 1_800_000_000_000, reason: 'a release' })],
    ['O-41: for a time', grant({ ttl: 60_000 })],
    ['O-41: for five uses', grant({ uses: 5, session: true })],
    ['O-41: a revocation', message('mcpx.revoke.capability', {}, { correlationId: 'g-1' })],
  ])('%s is accepted', (_, raw) => {
    expect(accepted(raw)).toStrictEqual(raw);
  });

  itRefuses([
    ['O-41: nobody to grant to', grant({ to: '' }), 'invalid_field', 'payload.to'],
    ['O-41: nothing to grant', grant({ capabilities: [] }), 'invalid_field', 'payload.capabilities'],
    ['O-41: no list', grant({ capabilities: 'chat.message' }), 'invalid_field', 'payload.capabilities'],
    ['O-41: no time', grant({ until: 'tomorrow' }), 'invalid_field', 'payload.until'],
    ['O-41: two ends', grant({ ttl: 1, until: 5 }), 'invalid_field', 'payload.ttl'],
    ['O-41: no uses', grant({ uses: 0 }), 'invalid_field', 'payload.uses'],
    ['O-41: half a use', grant({ uses: 1.5 }), 'invalid_field', 'payload.uses'],
    ['O-41: a session without a name', grant({ session: '' }), 'invalid_field', 'payload.session'],
    [
      'O-41: a revocation of nothing',
      message('mcpx.revoke.capability', {}),
      'missing_field',
      'correlationId',
    ],
  ]);
});
