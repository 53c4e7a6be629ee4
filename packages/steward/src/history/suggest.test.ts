import type { JsonObject } from '@proffer/core/json';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideByRules } from '../index.js';
import { past } from '../testing/past.js';
import { callOf, rulesOf } from '../testing/rules.js';
import { backtest, closestToRule, formatSuggestions, type PastProposal, suggestRules } from './index.js';

const rulesIn = (history: readonly PastProposal[], min = 3) =>
  suggestRules(history, { min }).suggestions.map(({ rule }) => rule);

describe('suggestions', () => {
  it('keep equal arguments literally, including asterisks', () => {
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

  it('never contain what looks like a secret', () => {
    const given = { path: '/srv/a', command: 'login --password hunter2' };
    expect(rulesIn([1, 2, 3].map(() => past('allow', given)))).toEqual([]);
  });

  it('generalise differing paths to their common folder, and no further', () => {
    const history = ['/srv/app/a.txt', '/srv/app/b.txt', '/srv/app/sub/c.txt'].map((path) =>
      past('allow', { path, mode: 'w' }),
    );
    expect(rulesIn(history)).toMatchObject([
      { match: { arguments: { path: '/srv/app/**' }, argumentsEqual: { mode: 'w' } } },
    ]);
  });

  it.each([
    ['only the root in common', ['/a/x', '/b/x', '/c/x']],
    ['other texts', ['one', 'two', 'three']],
    ['sentences', ['either/or this', 'either/or that', 'either/or those']],
    ['URLs', ['https://a.test/x', 'https://a.test/y', 'https://a.test/z']],
    ['paths with dot segments', ['/srv/app/a', '/srv/app/../b', '/srv/app/c']],
    ['stars', ['/srv/*/a', '/srv/*/b', '/srv/*/c']],
    ['different things', ['/srv/app/a', 3, null]],
  ])('are not made from %s', (_, values) => {
    expect(rulesIn(values.map((path) => past('allow', { path })))).toEqual([]);
  });

  it('report the closest candidate', () => {
    const history = ['one', 'two', 'two'].map((path) => past('allow', { path }));
    const other = past('deny', { path: 'x' });
    expect(closestToRule([other, ...history])).toMatchObject({ decision: 'allow', alike: 3, equal: 2 });
    expect(closestToRule([past('amend', { path: 'x' })])).toBeUndefined();
  });

  const four = [1, 2, 3, 4];
  const lorem = (index: number) => `Line ${index}\nand more`;

  it('leave content open if it goes to one folder', () => {
    const write = (index: number) => ({ path: `/srv/app/${index}.md`, content: lorem(index) });
    const history = four.map((index) => past('allow', write(index)));
    expect(rulesIn(history)).toEqual([
      {
        name: 'agent: write_file in /srv/app/**',
        action: 'allow',
        match: {
          participant: 'agent',
          tool: 'write_file',
          arguments: { path: '/srv/app/**', content: '**' },
          noOtherArguments: true,
        },
      },
    ]);
    expect(rulesIn(history.slice(1))).toEqual([]);
    const found = suggestRules(history);
    expect(found.suggestions[0]?.free).toEqual(['content']);
    expect(formatSuggestions(found)).toContain('# may be anything: content');
    const rules = rulesOf(formatSuggestions(found));
    const decide = (given: JsonObject) =>
      decideByRules(rules, callOf({ tool: 'write_file', arguments: given })).action;
    expect(decide({ path: '/srv/app/new.md', content: 'x' })).toBe('allow');
    expect(decide({ path: '/srv/other/new.md', content: 'x' })).toBe('ask');
    expect(decide({ path: '/srv/app/new.md', content: 'x', mode: 'append' })).toBe('ask');
  });

  it('leave content open if it goes to one address, and separate addresses', () => {
    const mail = (to: string) => (index: number) =>
      past('allow', { to, subject: `Report ${index}`, body: lorem(index) }, { tool: 'send_mail' });
    const history = [...four.map(mail('ann@example.org')), ...[1, 2].map(mail('bob@example.org'))];
    expect(rulesIn(history)).toMatchObject([
      {
        name: 'agent: send_mail, to "ann@example.org"',
        match: { argumentsEqual: { to: 'ann@example.org' }, arguments: { subject: '**', body: '**' } },
      },
    ]);
  });

  it.each<[string, (index: number) => JsonObject]>([
    ['what is executed', (index) => ({ path: '/srv/app/db', sql: `select ${index} from t` })],
    ['what is executed under another name', (index) => ({ cwd: '/srv/app/x', command: `rm -rf ${index}` })],
    ['the recipient', (index) => ({ to: `${index}@example.org`, body: lorem(index) })],
    [
      'the recipient of a copy',
      (index) => ({ to: 'a@example.org', cc: `${index}@example.org`, body: lorem(index) }),
    ],
    ['an option', (index) => ({ path: '/srv/app/x', level: `v${index}` })],
    ['numbers', (index) => ({ to: 'a@example.org', count: index })],
    ['everything', (index) => ({ content: lorem(index) })],
    ['content without a destination', (index) => ({ limit: 10, text: lorem(index) })],
  ])('do not leave %s open', (_, given) => {
    expect(rulesIn(four.map((index) => past('allow', given(index))))).toEqual([]);
  });

  it('list what they would have decided differently, and are then not made', () => {
    const write = (index: number) => ({ path: `/srv/app/${index}.md`, content: lorem(index) });
    const denied = past('deny', write(7));
    const history = [...four.map((index) => past('allow', write(index))), denied];
    const { suggestions, passedOver } = suggestRules(history);
    expect(suggestions).toEqual([]);
    expect(passedOver).toMatchObject([
      {
        rule: { name: 'agent: write_file in /srv/app/**' },
        different: [{ proposal: { id: denied.id }, byRules: { action: 'allow' } }],
      },
    ]);
    const text = formatSuggestions({ suggestions, passedOver });
    expect(text).toContain('# 4 decisions agree with this rule; it would have decided 1 differently:');
    expect(text).toMatch(new RegExp(`#   ${denied.id}  .*  denied by ann`));
    expect(rulesOf(text).rules).toEqual([]);
  });

  it('treat the guards of one server as one', () => {
    const write = (index: number) => {
      const { call, ...proposal } = past('allow', { path: '/a/b' });
      return {
        ...proposal,
        call: { ...call, participant: `files-${index}`, alias: 'files', server: 'files' },
      };
    };
    expect(rulesIn([2, 3, 4].map(write))).toMatchObject([
      { match: { participant: 'files', server: 'files' } },
    ]);
  });

  it('need the given number of decisions, by people only', () => {
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

  it('never contradict history, and reproduce all their evidence from the printed file', () => {
    const path = fc
      .array(fc.constantFrom('srv', 'a', 'b', '..', '', 'x*', '%2e%2e'), { minLength: 1, maxLength: 4 })
      .map((segments) => `/${segments.join('/')}`);
    const value = fc.oneof(path, fc.constantFrom('w', 'two\nlines\n\n  x ', '- #', '*', 1, null, true));
    const given = fc.oneof(
      fc.record({ path }),
      fc.record({ path, mode: value }),
      fc.record({ path, content: fc.string() }),
      fc.constant(JSON.parse('{"__proto__": 1, "constructor": "/a/b"}') as JsonObject),
    );
    const proposal = fc
      .tuple(fc.constantFrom('allow', 'allow', 'allow', 'deny', 'amend', undefined), given, fc.boolean())
      .map(([decision, args, automatic]) => past(decision as 'allow', args as JsonObject, { automatic }));
    fc.assert(
      fc.property(fc.array(proposal, { maxLength: 25 }), fc.integer({ min: 1, max: 3 }), (history, min) => {
        const found = suggestRules(history, { min });
        const { suggestions } = found;
        const rules = rulesOf(formatSuggestions(found));
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
    const given = '{"path":"/a/b"}';
    expect(text).toContain(
      `# denied 2 times:\n  #   ${history[0]?.id}  ${given}  denied by ann  2026-11-01T00:00:00.000Z`,
    );
    expect(text).toContain(
      `# backtest: reproduces 2, contradicts 0, newly automatic 1:\n  #   ${history[2]?.id}  ${given}  nobody decided`,
    );
    expect(rulesOf(formatSuggestions(suggestRules([]))).rules).toEqual([]);
  });
});
