import type { JsonObject, JsonValue } from '@proffer/core/json';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideByRules, explainByRules } from '../../index.js';
import { callOf, problemsOf, rulesOf } from '../../testing/rules.js';

const ruleWith = (action: string, written: string) =>
  rulesOf(
    `{ default: ${action === 'allow' ? 'ask' : 'allow'}, rules: [{ action: ${action}, match: { arguments: { a: ${written} } } }] }`,
  );

/**
 * The result of a condition on the argument `a`: a rule that allows does not match in doubt, one that
 * denies does.
 */
function verdict(written: string, given: JsonObject): 'yes' | 'no' | 'doubt' {
  const call = callOf({ arguments: given });
  const isAllowed = decideByRules(ruleWith('allow', written), call).action === 'allow';
  const isDenied = decideByRules(ruleWith('deny', written), call).action === 'deny';
  return isAllowed ? 'yes' : isDenied ? 'doubt' : 'no';
}

const of = (written: string, a: JsonValue) => verdict(written, { a });

describe('operators', () => {
  it.each<[string, readonly JsonValue[], readonly JsonValue[]]>([
    ['{ gt: 1000 }', [1000.5, 5000], [1000, -1]],
    ['{ gte: 1000 }', [1000], [999]],
    ['{ lt: 0.5 }', [0, -0, -7], [0.5]],
    ['{ lte: 0.5 }', [0.5], [1]],
    ['{ gt: 1, lte: 10 }', [2, 10], [1, 11]],
    ['{ between: [1, 10] }', [1, 10], [0, 10.01]],
    ['{ equals: "*" }', ['*'], ['x']],
    ['{ equals: { b: [1] } }', [{ b: [1] }], [{ b: [1, 2] }]],
    ['{ matches: "^v\\\\d+$" }', ['v1', 'v23'], ['w1', '']],
    ['{ not: staging }', ['production'], ['staging']],
    ['{ not: { gt: 10 } }', [10, -5], [11]],
    ['{ anyOf: [staging, "test-*", 7] }', ['staging', 'test-1', 7], ['production', 8]],
    ['{ every: "*@example.org" }', [['a@example.org', 'b@example.org'], []], [['a@example.org', 'b@evil']]],
    ['{ some: "*@evil" }', [['a@example.org', 'b@evil']], [['a@example.org'], []]],
    ['{ every: { anyOf: [a, b] }, length: { gte: 1 } }', [['a'], ['b', 'a']], [[], ['c']]],
    ['{ present: true }', ['', null, false, []], []],
    ['{ length: 3 }', ['abc', '😀😀😀', [1, 2, 3]], ['ab', [1]]],
    ['{ length: { lte: 2 } }', ['ab', []], ['abc']],
    ['{ fields: { min: 1, length: 3 } }', [{ min: 1, length: 3 }], [{ min: 2, length: 3 }, 'abc']],
    [
      '{ fields: { order: { fields: { amount: { gt: 10 }, currency: EUR } } } }',
      [{ order: { amount: 11, currency: 'EUR' } }],
      [],
    ],
    ['[git, { anyOf: [log, status] }]', [['git', 'log']], [['git', 'push'], ['git'], 'git']],
  ])('%s matches exactly what it should', (written, right, wrong) => {
    for (const value of right) expect([value, of(written, value)]).toEqual([value, 'yes']);
    for (const value of wrong) expect([value, of(written, value)]).toEqual([value, 'no']);
  });

  it('are in doubt about values that a server may read differently', () => {
    for (const value of ['5000', '5e3', [5000], true, null]) expect(of('{ gt: 1000 }', value)).toBe('doubt');
    for (const value of ['a@example.org', { 0: 'a' }]) expect(of('{ every: "*" }', value)).toBe('doubt');
    expect(of('{ matches: "^rm" }', ['rm'])).toBe('doubt');
    expect(of('{ length: 3 }', 3)).toBe('doubt');
    expect(of('{ not: /etc/** }', '/ETC/passwd')).toBe('doubt');
    expect(of('{ not: /etc/** }', '/tmp/../etc/passwd')).toBe('doubt');
    expect(of('{ not: { matches: "^/etc/.*" } }', '/tmp/../etc/passwd')).toBe('doubt');
  });

  it('do not hold for an absent argument, and are in doubt if it is negated', () => {
    for (const written of ['{ gt: 1 }', '{ matches: x }', '{ every: x }', '{ length: 0 }', '{ equals: 1 }']) {
      expect(verdict(written, {})).toBe('no');
    }
    expect(verdict('{ present: false }', {})).toBe('yes');
    expect(verdict('{ not: staging }', {})).toBe('doubt');
    expect(verdict('{ anyOf: [x, { present: false }] }', {})).toBe('yes');
  });

  it.each(['A', 'a ', '%61'])('O-8: %j may be taken for the argument', (name) => {
    expect(verdict('{ lte: 10 }', { a: 5, [name]: 5000 })).toBe('doubt');
    expect(verdict('{ gt: 1000 }', { [name]: 5000 })).toBe('doubt');
    expect(verdict('{ present: false }', { [name]: 1 })).toBe('doubt');
    expect(verdict('{ gt: 1000 }', { a: 1, [name]: 2 })).toBe('no');
  });

  it('explain themselves', () => {
    const rules = ruleWith(
      'deny',
      '{ anyOf: [{ gt: 1000 }, { present: false }, { every: { matches: x } }] }',
    );
    const [tried] = explainByRules(rules, callOf({ arguments: { a: 7 } })).tried;
    expect(tried).toMatchObject({
      matched: true,
      doubtful: [
        {
          condition: 'arguments.a',
          found: '7',
          expected: expect.stringContaining(
            'a number more than 1000 or nothing or a list in which every item',
          ),
        },
      ],
    });
  });
});

describe('a regex', () => {
  it('must match the whole text to allow, and a part of it to deny', () => {
    const written = '{ matches: "git (log|status)" }';
    expect(of(written, 'git log')).toBe('yes');
    expect(of(written, 'git log; rm -rf /')).toBe('doubt');
    expect(of(written, 'git log\nrm -rf /')).toBe('doubt');
    expect(of(written, 'GIT LOG')).toBe('doubt');
    expect(of(written, 'g\u200bit log')).toBe('doubt');
    expect(of(written, 'git push')).toBe('no');
    expect(of('{ matches: "https?://evil[.]example" }', 'several\nlines ../x //y\n')).toBe('no');
  });

  it('I-7: takes time linear in the length of the text', () => {
    const rules = ruleWith('deny', '{ matches: "^(a+)+(a|aa)*(.*a){20}$" }');
    const call = callOf({ arguments: { a: `${'a'.repeat(200_000)}!` } });
    expect(decideByRules(rules, call).action).toBe('allow');
  });

  it('agrees with RegExp on shared syntax', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '[ab]',
      '(?:a|bb)',
      'a*',
      'b+',
      '.',
      'a?',
      '(?:ab){2}',
      '^',
      '$',
      '\\w',
    );
    const source = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 })
      .map((letters) => letters.join(''));
    fc.assert(
      fc.property(source, fc.array(text, { minLength: 1 }), (regex, texts) => {
        const written = `{ matches: ${JSON.stringify(regex)} }`;
        for (const one of texts) {
          const expected = new RegExp(`^(?:${regex})$`).test(one)
            ? 'yes'
            : new RegExp(regex).test(one)
              ? 'doubt'
              : 'no';
          expect(of(written, one)).toBe(expected);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('an invalid operator', () => {
  it.each<[string, string, string | undefined]>([
    ['{ regex: "^a" }', 'a.regex', 'matches'],
    ['{ $gt: 5 }', 'a.$gt', 'gt'],
    ['{ greaterThan: 5 }', 'a.greaterThan', 'gt'],
    ['{ ">": 5 }', 'a[">"]', 'gt'],
    ['{ min: 1, max: 5 }', 'a.min', 'gte'],
    ['{ oneOf: [a] }', 'a.oneOf', 'anyOf'],
    ['{ startsWith: a }', 'a.startsWith', 'matches'],
    ['{ matchs: a }', 'a.matchs', 'matches'],
    ['{ exists: true }', 'a.exists', 'present'],
    ['{ matches: a, flags: i }', 'a.flags', 'fields: { flags: … }'],
    ['{ greaterish: 1000 }', 'a.greaterish', 'fields: { greaterish: … }'],
    ['{ over: 1000 }', 'a.over', 'gt'],
    ['{ b: 1 }', 'a.b', 'fields: { b: … }'],
    ['{ constructor: 1 }', 'a.constructor', 'fields: { constructor: … }'],
    ['{ GT: 5 }', 'a.GT', 'gt'],
    ['{ "gt ": 5 }', 'a["gt "]', 'gt'],
    ['{ fields: { b: { c: 1 } } }', 'a.fields.b.c', 'fields: { c: … }'],
    ['{ fields: { b: { regex: x } } }', 'a.fields.b.regex', 'matches'],
    ['{ gt: 1, max: 5 }', 'a.max', 'lte'],
    ['[1, { b: 2 }]', 'a[1].b', 'fields: { b: … }'],
    ['{ anyOf: [{ b: 2 }] }', 'a.anyOf[0].b', 'fields: { b: … }'],
    ['{ not: { b: 2 } }', 'a.not.b', 'fields: { b: … }'],
    ['{ every: { b: 2 } }', 'a.every.b', 'fields: { b: … }'],
    ['{}', 'a', '{ equals: {} }'],
    ['{ fields: {} }', 'a.fields', undefined],
    ['{ fields: { b: {} } }', 'a.fields.b', '{ equals: {} }'],
    ['">1000"', 'a', '{ gt: 1000 }'],
    ['"<= 5.5"', 'a', '{ lte: 5.5 }'],
    ['"1..10"', 'a', '{ between: [1, 10] }'],
    ['"!x"', 'a', '{ not: "x" }'],
    ['"!= x"', 'a', '{ not: "x" }'],
    ['"^rm"', 'a', '{ matches: "^rm" }'],
    ['"/^rm\\\\b/i"', 'a', '{ matches: "^rm\\\\b" }'],
    ['"regex:x"', 'a', '{ matches: "x" }'],
    ['"/srv/{a,b}/**"', 'a', '{ anyOf: [ …, … ] }'],
    ['$.path', 'a', 'nested keys'],
    ['{ gt: "5" }', 'a.gt', undefined],
    ['{ gt: 5, lt: 5 }', 'a', undefined],
    ['{ between: [10, 1] }', 'a.between', undefined],
    ['{ matches: "(" }', 'a.matches', undefined],
    ['{ matches: "(?=a)" }', 'a.matches', undefined],
    ['{ matches: "(a)\\\\1" }', 'a.matches', undefined],
    ['{ anyOf: [] }', 'a.anyOf', undefined],
    ['{ anyOf: ">5" }', 'a.anyOf', undefined],
    ['{ not: { present: true } }', 'a.not', 'present: false'],
    ['{ not: ">5" }', 'a.not', '{ gt: 5 }'],
    ['{ length: long }', 'a.length', undefined],
    ['{ length: { matches: x } }', 'a.length', undefined],
    ['{ present: yes }', 'a.present', 'true'],
    ['{ every: /tmp/***/x }', 'a.every', undefined],
  ])('%s is reported with its position and a suggestion', (written, path, suggestion) => {
    const [problem] = problemsOf(`rules:\n  - action: deny\n    match: { arguments: { a: ${written} } }`);
    expect(problem).toMatchObject({ line: 3, path: `rules[0].match.arguments.${path}` });
    expect(problem?.suggestion).toBe(suggestion);
    expect(problem?.message).toMatch(/[.]$/);
  });

  it('is not assumed in a text, nor among the fields of an object', () => {
    for (const [written, value] of [
      ['{ fields: { type: file, count: 3 } }', { type: 'file', count: 3 }],
      ['{ fields: { min: 1, gt: { lte: 2 } } }', { min: 1, gt: 2 }],
      ['{ equals: { gt: { greaterish: 1 } } }', { gt: { greaterish: 1 } }],
      ['{ equals: {} }', {}],
      ['/srv/(group)/', '/srv/(group)/'],
      ['"<b>*"', '<b>bold'],
      ['"Re: *"', 'Re: hello'],
      ['"not now"', 'not now'],
      ['"{ \\"a\\": 1, \\"b\\": * }"', '{ "a": 1, "b": 2 }'],
      ['~/notes/**', '~/notes/a'],
    ] satisfies [string, JsonValue][]) {
      expect([written, of(written, value)]).toEqual([written, 'yes']);
    }
  });

  it('is reported in the place of an argument', () => {
    expect(problemsOf('rules: [{ action: deny, match: { arguments: { not: { a: 1 } } } }]')).toMatchObject([
      { path: 'rules[0].match.arguments.not' },
    ]);
  });
});
