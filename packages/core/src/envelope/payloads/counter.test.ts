import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../json/json.js';
import { accepted, message } from '../testing/reading.js';
import { itRefuses } from '../testing/refusals.js';

const counter = (payload: JsonObject, correlationId: JsonValue = 'p-1') =>
  message('mcpx.counter.proposal', payload, { correlationId });
const accept = (payload: JsonObject, correlationId: JsonValue = 'c-1') =>
  message('mcpx.accept.counter', payload, { correlationId });

describe('counter-offers and acceptances', () => {
  it.each([
    ['O-40: other params, and why', counter({ params: { name: 'x' }, reason: 'safer' })],
    ['O-40: with an executor', counter({ params: {}, reason: 'safer', executor: 'tools' })],
    ['O-40: an acceptance', accept({})],
    ['O-40: an acceptance with a digest', accept({ digest: 'sha256:1' })],
  ])('%s is accepted', (_, raw) => {
    expect(accepted(raw)).toStrictEqual(raw);
  });

  itRefuses([
    ['O-40: no params', counter({ reason: 'safer' }), 'missing_field', 'payload.params'],
    [
      'O-40: params that are no object',
      counter({ params: [], reason: 'x' }),
      'invalid_field',
      'payload.params',
    ],
    ['O-40: no reason', counter({ params: {} }), 'missing_field', 'payload.reason'],
    ['O-40: an empty reason', counter({ params: {}, reason: '' }), 'invalid_field', 'payload.reason'],
    [
      'O-40: two proposals at once',
      counter({ params: {}, reason: 'x' }, ['p-1', 'p-2']),
      'invalid_field',
      'correlationId',
    ],
    ['O-40: an acceptance of nothing', message('mcpx.accept.counter', {}), 'missing_field', 'correlationId'],
    ['O-40: two counter-offers at once', accept({}, ['c-1', 'c-2']), 'invalid_field', 'correlationId'],
    ['O-40: a digest that is no text', accept({ digest: 1 }), 'invalid_field', 'payload.digest'],
  ]);
});
