import type { JsonObject, JsonValue } from '@proffer/core/json';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideByRules, explainByRules } from '../index.js';
import { callOf, rulesOf } from '../testing/rules.js';

const RUNS = process.env['PROFFER_LONG'] === undefined ? 100 : 10_000;

/** Few paths, in many spellings, so that patterns and arguments meet. */
const STEMS = [
  '/etc',
  '/ETC',
  '/etc/a',
  '/etc/b',
  '/ｅtc/a',
  '/%65tc/a',
  'file:///etc/a',
  '\\etc',
  'e\u0301',
  'é',
  '1',
];
const joined = (endings: readonly string[]): fc.Arbitrary<JsonValue> =>
  fc.tuple(fc.constantFrom(...STEMS), fc.constantFrom('', ...endings)).map((parts) => parts.join(''));
const other = fc.constantFrom<JsonValue>(0, -0, 1, 1.5, true, null, ['/etc/a'], { a: '/etc/a' }, '', 'etc');
const value = fc.oneof(
  { weight: 6, arbitrary: joined(['/x', '/a/x', ' ', '\u200b', '\u0301', '/../b', '//', '/%2e%2e', '*']) },
  { weight: 1, arbitrary: other },
);
const pattern = fc.oneof(
  { weight: 6, arbitrary: joined(['*', '/*', '/**', '/*/x', '/**/x']) },
  { weight: 1, arbitrary: other },
);
const given = (what: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ path: what }) },
    { weight: 1, arbitrary: fc.record({ path: what, constructor: what }) },
    { weight: 1, arbitrary: fc.record({ constructor: what }) },
    { weight: 1, arbitrary: fc.record({ path: what, Path: what }) },
    { weight: 1, arbitrary: fc.record({ ｐath: what }) },
  );

const rule = fc
  .record({
    action: fc.constantFrom('allow', 'ask', 'deny'),
    match: fc.oneof(
      fc.record({ tool: fc.constantFrom('read', 'READ', 'r*'), arguments: given(pattern) }),
      fc.record({ tool: fc.constantFrom('read', 'READ', 'r*'), argumentsEqual: given(value) }),
      fc.record({ arguments: given(pattern), argumentsEqual: given(value) }),
    ),
  })
  .filter(isRight);

/** Not every text is a pattern. */
function isRight(written: JsonObject): boolean {
  try {
    rulesOf(JSON.stringify({ rules: [written] }));
    return true;
  } catch {
    return false;
  }
}

describe('rules indexed by their arguments', () => {
  it('decide as if each were tried in turn', () => {
    const call = fc.record({ tool: fc.constantFrom('read', 'read', 'rest'), arguments: given(value) });
    const property = fc.property(
      fc.array(rule, { minLength: 8, maxLength: 30 }),
      fc.array(call, { minLength: 1, maxLength: 20 }),
      (written, calls) => {
        const rules = rulesOf(JSON.stringify({ rules: written }));
        for (const facts of calls.map(callOf)) {
          expect(decideByRules(rules, facts)).toEqual(explainByRules(rules, facts).decision);
        }
      },
    );
    fc.assert(property, { numRuns: RUNS });
  });

  it('are not tried if the argument rules them out, however many there are', () => {
    const written = Array.from({ length: 1_000 }, (_, index) => ({
      action: index % 2 === 0 ? 'allow' : 'deny',
      match: { tool: 'write', arguments: { path: `/folder-${index}/**` } },
    }));
    const parsed = rulesOf(JSON.stringify({ rules: written }));
    let judged = 0;
    for (const { conditions } of parsed.rules) {
      for (const condition of conditions) {
        const { judge } = condition;
        Object.assign(condition, {
          judge: (...args: Parameters<typeof judge>) => (judged++, judge(...args)),
        });
      }
    }
    const call = (path: string) => callOf({ tool: 'write', arguments: { path } });
    expect(decideByRules(parsed, call('/folder-999/a'))).toMatchObject({
      action: 'deny',
      rule: { index: 999 },
    });
    expect(decideByRules(parsed, call('/elsewhere')).action).toBe('ask');
    expect(judged).toBeLessThan(20);
    expect(decideByRules(parsed, call('/FOLDER-999')).action).toBe('deny');
    expect(decideByRules(parsed, call('/x/../folder-999/a'))).toMatchObject({
      action: 'deny',
      rule: { index: 1 },
    });
  });
});
