import type { JsonObject } from '@proffer/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backtest, decideByRules, formatSuggestions, type PastProposal, suggestRules } from '../index.js';
import { past } from '../testing/past.js';
import { callOf, rulesOf } from '../testing/rules.js';

const rulesIn = (history: readonly PastProposal[], min = 3) =>
  suggestRules(history, { min }).map(({ rule }) => rule);

describe('suggestions', () => {
  it('keep equal arguments as they are, stars and all', () => {
    const query = { sql: 'select * from orders', limit: 10 };
    const history = [1, 2, 3].map(() => past('allow', query, { tool: 'query' }));
    expect(rulesIn(history)).toEqual([
      {
        name: 'agent: query',
        action: 'allow',
        match: { participant: 'agent', tool: 'query', argumentsEqual: query, noOtherArguments: true },
      },
    ]);
    const rules = rulesOf(formatSuggestions(suggestRules(history)));
    const decide = (given: JsonObject) =>
      decideByRules(rules, callOf({ tool: 'query', arguments: given })).action;
    expect(decide(query)).toBe('allow');
    expect(decide({ ...query, sql: 'select 1; drop table orders' })).toBe('ask');
    expect(decide({ ...query, sql: 'select x from orders' })).toBe('ask');
    expect(decide({ ...query, force: true })).toBe('ask');
  });

  it('take differing paths for their common folder, and no more', () => {
    const history = ['/srv/app/a.txt', '/srv/app/b.txt', '/srv/app/sub/c.txt'].map((path) =>
      past('allow', { path, mode: 'w' }),
    );
    expect(rulesIn(history)).toMatchObject([
      { match: { arguments: { path: '/srv/app/**' }, argumentsEqual: { mode: 'w' } } },
    ]);
  });

  it.each([
    ['nothing but the root', ['/a/x', '/b/x', '/c/x']],
    ['other texts', ['one', 'two', 'three']],
    ['sentences', ['either/or this', 'either/or that', 'either/or those']],
    ['URLs', ['https://a.test/x', 'https://a.test/y', 'https://a.test/z']],
    ['paths that lead elsewhere', ['/srv/app/a', '/srv/app/../b', '/srv/app/c']],
    ['stars', ['/srv/*/a', '/srv/*/b', '/srv/*/c']],
    ['different things', ['/srv/app/a', 3, null]],
  ])('are not made from %s', (_, values) => {
    expect(rulesIn(values.map((path) => past('allow', { path })))).toEqual([]);
  });

  it('take as many decisions as are wanted, of people alone', () => {
    const given = { path: '/a/b' };
    expect(rulesIn([past('allow', given), past('allow', given)])).toEqual([]);
    expect(rulesIn([past('allow', given), past('allow', given)], 2)).toHaveLength(1);
    const automatic = { automatic: true };
    expect(rulesIn([1, 2, 3].map(() => past('allow', given, automatic)))).toEqual([]);
    expect(rulesIn([1, 2, 3].map(() => past('amend', given)))).toEqual([]);
    expect(rulesIn([1, 2, 3].map(() => past(undefined, given)))).toEqual([]);
  });

  it('become narrower until nothing contradicts them, or are not made', () => {
    const allowed = ['/srv/a/1', '/srv/a/2', '/srv/a/3', '/srv/b/1'].map((path) => past('allow', { path }));
    const history = [...allowed, past('deny', { path: '/srv/c/1' })];
    expect(rulesIn(history)).toMatchObject([{ match: { arguments: { path: '/srv/a/**' } } }]);
    const amended = [...allowed, past('amend', { path: '/srv/a/9' })];
    expect(rulesIn(amended)).toEqual([]);
  });

  it('never contradict history, and reproduce all of their evidence, as the file that is printed', () => {
    const path = fc
      .array(fc.constantFrom('srv', 'a', 'b', '..', '', 'x*', '%2e%2e'), { minLength: 1, maxLength: 4 })
      .map((segments) => `/${segments.join('/')}`);
    const value = fc.oneof(path, fc.constantFrom('w', 'two\nlines\n\n  x ', '- #', '*', 1, null, true));
    const given = fc.oneof(
      fc.record({ path }),
      fc.record({ path, mode: value }),
      fc.constant(JSON.parse('{"__proto__": 1, "constructor": "/a/b"}') as JsonObject),
    );
    const proposal = fc
      .tuple(fc.constantFrom('allow', 'allow', 'allow', 'deny', 'amend', undefined), given, fc.boolean())
      .map(([decision, args, automatic]) => past(decision as 'allow', args as JsonObject, { automatic }));
    fc.assert(
      fc.property(fc.array(proposal, { maxLength: 25 }), fc.integer({ min: 1, max: 3 }), (history, min) => {
        const suggestions = suggestRules(history, { min });
        const rules = rulesOf(formatSuggestions(suggestions));
        expect(rules.version).toBe(
          rulesOf(JSON.stringify({ rules: suggestions.map(({ rule }) => rule) })).version,
        );
        expect(backtest(rules, history).counts.different).toBe(0);
        for (const { evidence } of suggestions) {
          expect(evidence.length).toBeGreaterThanOrEqual(min);
          expect(backtest(rules, evidence).counts.same).toBe(evidence.length);
        }
      }),
    );
  });

  it('show their evidence and their backtest', () => {
    const history = [
      past('deny', { path: '/a/b' }),
      past('deny', { path: '/a/b' }),
      past(undefined, { path: '/a/b' }),
    ];
    const text = formatSuggestions(suggestRules(history, { min: 2 }));
    expect(text).toContain(`# denied 2 times:\n  #   ${history[0]?.id}  by ann  2026-11-01T00:00:00.000Z`);
    expect(text).toContain('# backtest: reproduces 2, contradicts 0, newly automatic 1');
    expect(rulesOf(formatSuggestions([])).rules).toEqual([]);
  });
});
