import type { JsonObject, JsonValue } from '@proffer/core/json';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideByRules, explainByRules } from '../../index.js';
import { callOf, rulesOf } from '../../testing/rules.js';

const decide = (rules: string, given: JsonObject) =>
  decideByRules(rulesOf(rules), callOf({ arguments: given }));

const TRICKS = [
  '/tmp/../etc/passwd',
  '/tmp/x/../../etc/passwd',
  '/tmp/./../etc/passwd',
  '/tmp//etc/passwd',
  '/tmp/%2e%2e/etc/passwd',
  '/tmp/%2E%2e%2fetc/passwd',
  '/tmp/%252e%252e/etc/passwd',
  '/tmp/.%2e/etc/passwd',
  '/tmp/%c0%ae%c0%ae/etc/passwd',
  '/tmp/..\\etc\\passwd',
  '/tmp/.. /etc/passwd',
  '/tmp/..;x/etc/passwd',
  '/tmp/\u0000/../etc/passwd',
  '/tmp/a\u0000',
  '/tmp/..',
];

describe('path patterns', () => {
  it.each(TRICKS)('O-8: %j is not below /tmp for a rule that allows', (path) => {
    const rules = 'rules: [{ action: allow, match: { arguments: { path: /tmp/** } } }]';
    expect(decide(rules, { path }).action).toBe('ask');
  });

  it.each([...TRICKS, '//etc/passwd', '/etc/./passwd'])(
    '%j does not slip past a rule that denies what it may lead to',
    (path) => {
      for (const pattern of ['/etc/**', '/etc/passwd', '/*/passwd']) {
        const rules = `{ default: allow, rules: [{ action: deny, match: { arguments: { path: "${pattern}" } } }] }`;
        expect(decide(rules, { path }).action).toBe('deny');
      }
    },
  );

  it('treat names that only look like others as different names', () => {
    const rules = 'rules: [{ action: allow, match: { arguments: { path: /tmp/** } } }]';
    expect(decide(rules, { path: '/tmp/...x' }).action).toBe('allow');
    expect(decide(rules, { path: '／tmp/a' }).action).toBe('ask');
    expect(decide(rules, { path: '/tmpx' }).action).toBe('ask');
    expect(decide(rules, { path: '/TMP/a' }).action).toBe('ask');
  });

  it.each(['/tmp/．．／etc', '/tmp/a\u200b', '/tmp/a '])('%j is not plain enough to be allowed', (path) => {
    const rules = 'rules: [{ action: allow, match: { arguments: { path: /tmp/** } } }]';
    expect(decide(rules, { path }).action).toBe('ask');
  });

  it.each([
    '/etc',
    '/ETC/passwd',
    ' /etc/passwd',
    '/etc/passwd ',
    'file:///etc/passwd',
    '/e%74c/passwd',
    '\\etc\\passwd',
    '/e\u200btc/passwd',
    '/ｅｔｃ/passwd',
  ])('%j may be what a rule denies', (path) => {
    const rules = '{ default: allow, rules: [{ action: deny, match: { arguments: { path: /etc/** } } }] }';
    expect(decide(rules, { path }).action).toBe('deny');
    const equal =
      '{ default: allow, rules: [{ action: deny, match: { argumentsEqual: { path: /etc/passwd } } }] }';
    expect(decide(equal, { path }).action).toBe(path === '/etc' ? 'allow' : 'deny');
  });

  it('never allow a path that resolves to a place outside', () => {
    const segment = fc.constantFrom('..', '.', '', 'a', 'tmp', 'etc', '%2e%2e', '..%2f', '\\..', 'b c', '…');
    const rules = rulesOf('rules: [{ action: allow, match: { arguments: { path: /tmp/** } } }]');
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 8 }), (segments) => {
        const path = `/tmp/${segments.join('/')}`;
        if (decideByRules(rules, callOf({ arguments: { path } })).action !== 'allow') return;
        const decoded = decodeURIComponent(path).replaceAll('\\', '/');
        expect(new URL(decoded, 'file:///').pathname).toMatch(/^\/tmp\//);
      }),
    );
  });

  it('are about text: a list or an object allows nothing and denies anything it may hold', () => {
    for (const path of [['/etc/passwd'], { toString: '/etc/passwd' }] as JsonValue[]) {
      const match = '{ arguments: { path: /etc/** } }';
      expect(decide(`rules: [{ action: allow, match: ${match} }]`, { path }).action).toBe('ask');
      expect(decide(`{ default: allow, rules: [{ action: deny, match: ${match} }] }`, { path }).action).toBe(
        'deny',
      );
    }
    const rules = '{ default: allow, rules: [{ action: deny, match: { arguments: { path: /etc/** } } }] }';
    expect(decide(rules, { path: '/tmp/a' }).action).toBe('allow');
    expect(decide(rules, { path: 7 }).action).toBe('allow');
  });
});

describe('argument names that some parsers confuse', () => {
  const LIKE_PATH = ['Path', 'PATH', 'path ', 'ｐath', 'p\u200bath', '%70ath'];

  it.each(LIKE_PATH)('O-8: an extra argument %j prevents a match of a rule that allows', (name) => {
    const given = { path: '/tmp/a', [name]: '/etc/passwd' };
    for (const match of ['{ arguments: { path: /tmp/** } }', '{ argumentsEqual: { path: /tmp/a } }']) {
      const rules = `rules: [{ action: allow, match: ${match} }]`;
      expect(decide(rules, given).action).toBe('ask');
      expect(decide(rules, { path: '/tmp/a', other: 1, Other: 2 }).action).toBe('allow');
    }
  });

  it.each(LIKE_PATH)('an argument %j may be the denied one, if its value is', (name) => {
    for (const match of ['{ arguments: { path: /etc/** } }', '{ argumentsEqual: { path: /etc/passwd } }']) {
      const rules = `{ default: allow, rules: [{ action: deny, match: ${match} }] }`;
      expect(decide(rules, { [name]: '/etc/passwd' }).action).toBe('deny');
      expect(decide(rules, { path: '/tmp/a', [name]: '/ETC/passwd' }).action).toBe('deny');
      expect(decide(rules, { path: '/etc/passwd', [name]: '/tmp/a' }).action).toBe('deny');
      expect(decide(rules, { [name]: '/tmp/a' }).action).toBe('allow');
    }
  });

  it('O-8: the same applies inside arguments', () => {
    const match = '{ arguments: { file: { fields: { path: /tmp/** } } } }';
    const given = { file: { path: '/tmp/a', Path: '/etc/passwd' } };
    expect(decide(`rules: [{ action: allow, match: ${match} }]`, given).action).toBe('ask');
    const forbidden =
      '{ default: allow, rules: [{ action: deny, match: { arguments: { file: { fields: { path: /etc/** } } } } }] }';
    expect(decide(forbidden, given).action).toBe('deny');
  });

  it('an explanation shows the confusable argument', () => {
    const rules = rulesOf('rules: [{ action: allow, match: { arguments: { path: /tmp/** } } }]');
    const call = callOf({ arguments: { path: '/tmp/a', Path: '/etc/passwd' } });
    expect(JSON.stringify(explainByRules(rules, call))).toContain('and \\"Path\\" \\"/etc/passwd\\"');
  });

  it.each(['Delete_File', 'delete_file ', 'ｄelete_file'])('a tool %j may be a denied one', (tool) => {
    for (const name of ['delete_file', 'delete_*']) {
      const rules = rulesOf(`{ default: allow, rules: [{ action: deny, match: { tool: ${name} } }] }`);
      expect(decideByRules(rules, callOf({ tool })).action).toBe('deny');
    }
    const allowing = rulesOf('rules: [{ action: allow, match: { tool: delete_file } }]');
    expect(decideByRules(allowing, callOf({ tool })).action).toBe('ask');
  });
});

describe('a tool with its server, as shown in the inbox', () => {
  const call = callOf({ server: 'filesystem', tool: 'move_file' });

  it.each(['filesystem/move_file', 'filesystem/*', 'FileSystem/move_file'])('%s denies it', (tool) => {
    const rules = rulesOf(`{ default: allow, rules: [{ action: deny, match: { tool: ${tool} } }] }`);
    expect(decideByRules(rules, call).action).toBe('deny');
    expect(decideByRules(rules, callOf({ server: 'other', tool: 'move_file' })).action).toBe('allow');
  });

  it('allows only that one', () => {
    const rules = rulesOf('rules: [{ action: allow, match: { tool: filesystem/move_file } }]');
    expect(decideByRules(rules, call).action).toBe('allow');
    expect(decideByRules(rules, callOf({ server: 'other', tool: 'move_file' })).action).toBe('ask');
  });
});

describe('hostile arguments', () => {
  const names = ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf'];

  it.each(names)('%s is present only if the call itself has it', (name) => {
    const match = `{ arguments: { "${name}": "**" } }`;
    const rules = `rules: [{ action: allow, match: ${match} }]`;
    expect(decide(rules, {}).action).toBe('ask');
    expect(decide(rules, JSON.parse(`{"${name}": 1}`) as JsonObject).action).toBe('allow');
    const equal = `rules: [{ action: allow, match: { argumentsEqual: { "${name}": 1 } } }]`;
    expect(decide(equal, {}).action).toBe('ask');
    expect(decide(equal, JSON.parse(`{"${name}": 1}`) as JsonObject).action).toBe('allow');
  });

  it('cannot slip past a rule that allows no other arguments', () => {
    const rules = `
rules:
  - action: allow
    match: { arguments: { path: /tmp/** }, argumentsEqual: { mode: "*" }, noOtherArguments: true }`;
    const given = { path: '/tmp/a', mode: '*' };
    expect(decide(rules, given).action).toBe('allow');
    expect(decide(rules, { ...given, mode: 'w' }).action).toBe('ask');
    expect(decide(rules, { ...given, follow: true }).action).toBe('ask');
    expect(
      decide(rules, JSON.parse('{"path":"/tmp/a","mode":"*","__proto__":{}}') as JsonObject).action,
    ).toBe('ask');
  });

  it('of any shape get a decision, and always the same one', () => {
    const rules = rulesOf(`
rules:
  - { action: deny, match: { arguments: { a: { fields: { b: /x/** } } } } }
  - { action: allow, match: { arguments: { a: ["*", 1] }, noOtherArguments: true } }`);
    fc.assert(
      fc.property(
        fc.dictionary(fc.oneof(fc.constantFrom('a', ...names), fc.string()), fc.jsonValue()),
        (given) => {
          const call = callOf({ arguments: given });
          expect(decideByRules(rules, call)).toEqual(decideByRules(rules, call));
        },
      ),
    );
  });
});
