import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../json/json.js';
import { accepted, message } from '../testing/reading.js';
import { itRefuses } from '../testing/refusals.js';

const about = (kind: string, payload: JsonObject, correlationId: JsonValue = 'p-1') =>
  message(kind, payload, { correlationId });

describe('messages about a proposal', () => {
  const withdraw = 'mcpx.withdraw.proposal';
  const reject = 'mcpx.reject.proposal';
  const status = 'mcpx.status.proposal';

  it.each([
    ['O-15: a withdrawal without a reason', about(withdraw, {})],
    [
      'O-15: a withdrawal of several proposals',
      about(withdraw, { reason: 'changed my mind' }, ['p-1', 'p-2']),
    ],
    [
      'O-17: a rejection in free text',
      about(reject, { reason: 'the moon is full', message: 'try tomorrow' }),
    ],
    ['O-17: a rejection with its one proposal in an array', about(reject, { reason: 'busy' }, ['p-1'])],
    ['O-35: a rejection of several proposals', about(reject, { reason: 'busy' }, ['p-1', 'p-2'])],
    ['O-35: a status of several proposals', about(status, { status: 'queued' }, ['p-1', 'p-2'])],
    ['O-10: a status', about(status, { status: 'queued', message: 'third in line' })],
  ])('%s is accepted', (_, raw) => {
    expect(accepted(raw)).toStrictEqual(raw);
  });

  itRefuses([
    ['O-15: a withdrawal of nothing', message(withdraw, {}), 'missing_field', 'correlationId'],
    ['O-15: a reason that is no text', about(withdraw, { reason: 5 }), 'invalid_field', 'payload.reason'],
    ['O-17: a rejection of nothing', message(reject, { reason: 'busy' }), 'missing_field', 'correlationId'],
    ['O-17: a rejection without a reason', about(reject, {}), 'missing_field', 'payload.reason'],
    ['O-17: an empty reason', about(reject, { reason: '' }), 'invalid_field', 'payload.reason'],
    [
      'O-17: too long a reason',
      about(reject, { reason: 'x'.repeat(1001) }),
      'invalid_field',
      'payload.reason',
    ],
    [
      'O-17: a message that is no text',
      about(reject, { reason: 'x', message: {} }),
      'invalid_field',
      'payload.message',
    ],
    ['O-10: no status', about(status, {}), 'missing_field', 'payload.status'],
    ['O-10: an unknown status', about(status, { status: 'done' }), 'invalid_field', 'payload.status'],
    ['O-10: a state', about(status, { status: 'withdrawn' }), 'invalid_field', 'payload.status'],
  ]);
});
