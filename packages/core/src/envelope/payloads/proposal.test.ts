import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../json/json.js';
import { accepted, proposal } from '../testing/reading.js';
import { itRefuses, type RefusalCase } from '../testing/refusals.js';

describe('a proposal', () => {
  it.each([
    ['no optional fields', {}],
    ['the longest time to live', { ttl: Number.MAX_SAFE_INTEGER }],
    ['empty targeting', { targeting: {} }],
    ['an origin with a user', { origin: { client: 'editor', version: '2.1', user: 'alice' } }],
    [
      'an origin with a folder',
      { origin: { client: 'editor', session: 's-1', folder: `/${'x'.repeat(999)}` } },
    ],
    [
      'everything',
      {
        ttl: 1,
        targeting: {
          preferred: ['a', 'b'],
          exclusive: true,
          exclusive_timeout: 3000,
          fallback_to_broadcast: false,
          quick_reject: true,
          fallback_timeout: 5000,
        },
      },
    ],
  ])('O-19, O-20: with %s is accepted', (_, payload) => {
    expect(accepted(proposal(payload)).payload).toMatchObject(payload);
  });

  it.each([
    ['text', 'editor'],
    ['an unknown field', { email: 'a@b' }],
    ['an empty name', { client: '' }],
    ['a name of 201 characters', { user: 'x'.repeat(201) }],
    ['a folder of 1001 characters', { folder: 'x'.repeat(1001) }],
  ])('I-4: with %s in its origin is refused', (_, origin) => {
    expect(() => accepted(proposal({ origin }))).toThrow('origin');
  });

  it('O-20: exclusive without preferred is exclusive to those in `to`', () => {
    expect(accepted(proposal({ targeting: { exclusive: true } }, { to: ['a'] })).to).toStrictEqual(['a']);
  });

  const targeting = (value: JsonValue) => proposal({ targeting: value });
  const at = 'payload.targeting';
  itRefuses([
    ...[0, -1, 1.5, '5000', null, 2 ** 53].map(
      (ttl): RefusalCase => [`O-19: a ttl of ${ttl}`, proposal({ ttl }), 'invalid_field', 'payload.ttl'],
    ),
    ['O-20: targeting that is a name', targeting('a'), 'invalid_field', at],
    [
      'O-20: preferring a name, not a list',
      targeting({ preferred: 'a' }),
      'invalid_field',
      `${at}.preferred`,
    ],
    ['O-20: preferring nobody', targeting({ preferred: [] }), 'invalid_field', `${at}.preferred`],
    ['O-20: preferring twice', targeting({ preferred: ['a', 'a'] }), 'invalid_field', `${at}.preferred[1]`],
    ['O-20: exclusive to nobody', targeting({ exclusive: true }), 'invalid_field', `${at}.exclusive`],
    [
      'O-20: exclusive to an empty `to`',
      proposal({ targeting: { exclusive: true } }, { to: [] }),
      'invalid_field',
      `${at}.exclusive`,
    ],
    ['O-20: exclusive in words', targeting({ exclusive: 'yes' }), 'invalid_field', `${at}.exclusive`],
    ['O-20: a timeout of 0', targeting({ exclusive_timeout: 0 }), 'invalid_field', `${at}.exclusive_timeout`],
    [
      'O-20: fallback null',
      targeting({ fallback_to_broadcast: null }),
      'invalid_field',
      `${at}.fallback_to_broadcast`,
    ],
    ['O-20: quick_reject 1', targeting({ quick_reject: 1 }), 'invalid_field', `${at}.quick_reject`],
    [
      'O-20: fallback_timeout in words',
      targeting({ fallback_timeout: '5s' }),
      'invalid_field',
      `${at}.fallback_timeout`,
    ],
  ]);
});
