import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { createRuleUsage } from '../../guard.js';
import { backtest } from '../../history/index.js';
import { type CallFacts, decideByRules, explainByRules } from '../../index.js';
import { factsOf } from '../../steward/facts.js';
import { past } from '../../testing/past.js';
import { callOf, MONDAY_NOON, problemsOf, rulesOf } from '../../testing/rules.js';

const matches = (action: 'allow' | 'deny', match: string, facts: Partial<CallFacts>) => {
  const otherwise = action === 'allow' ? 'ask' : 'allow';
  const rules = rulesOf(`{ default: ${otherwise}, rules: [{ action: ${action}, match: ${match} }] }`);
  return decideByRules(rules, callOf(facts)).action === action;
};

describe('the caller', () => {
  it('is a client or a user, and in doubt if unknown', () => {
    for (const about of ['client', 'user'] as const) {
      const match = `{ ${about}: [ann, "claude-*"] }`;
      expect(matches('allow', match, { [about]: 'claude-code' })).toBe(true);
      expect(matches('allow', match, { [about]: 'other' })).toBe(false);
      expect(matches('allow', match, {})).toBe(false);
      expect(matches('deny', match, {})).toBe(true);
      expect(matches('deny', match, { [about]: 'Ann' })).toBe(true);
      expect(matches('deny', match, { [about]: 'other' })).toBe(false);
    }
  });

  it('may be negated', () => {
    expect(matches('deny', '{ participant: { not: [agent, "helper-*"] } }', { participant: 'other' })).toBe(
      true,
    );
    expect(matches('deny', '{ participant: { not: [agent, "helper-*"] } }', { participant: 'agent' })).toBe(
      false,
    );
    expect(matches('allow', '{ tool: { not: delete_* } }', { tool: 'read' })).toBe(true);
    expect(matches('allow', '{ tool: { not: delete_* } }', { tool: 'Delete_file' })).toBe(false);
  });

  const proposed = (proposer: string, name: string, server = proposer) =>
    factsOf(
      { proposer, method: 'tools/call', params: { name, arguments: {} } },
      { name: server },
      MONDAY_NOON,
    );

  it('is the same guard whatever number its name ends with, and no one else', () => {
    const match = '{ participant: files, tool: write }';
    expect(proposed('files-2', 'files-2/files/write')).toMatchObject({
      participant: 'files-2',
      alias: 'files',
    });
    expect(matches('allow', match, proposed('files-2', 'files-2/files/write') ?? {})).toBe(true);
    expect(matches('allow', match, proposed('files', 'files/write') ?? {})).toBe(true);
    for (const facts of [
      proposed('files-2', 'files-2/write'),
      proposed('files-x', 'files-x/files/write'),
      proposed('files-2', 'write', 'files'),
      proposed('files-2', 'files/write', 'files'),
    ]) {
      expect(facts?.alias).toBeUndefined();
      expect(matches('allow', match, { tool: 'write', ...facts })).toBe(false);
    }
  });

  it.each([
    '"!agent"',
    '/^agent/',
    '"^agent"',
    '"a|b"',
    '"{a,b}*"',
    '{ matches: a }',
    '{ not: a, anyOf: [b] }',
  ])('must be a name: %s', (written) => {
    for (const about of ['participant', 'client', 'user', 'server', 'tool', 'prompt']) {
      const [problem] = problemsOf(`rules:\n  - action: deny\n    match: { ${about}: ${written} }`);
      expect(problem).toMatchObject({ line: 3, path: `rules[0].match.${about}` });
    }
  });
});

describe('resources and prompts', () => {
  const operation = (method: string, params: JsonObject) =>
    factsOf({ proposer: 'agent', method, params }, undefined, MONDAY_NOON) ?? {};
  const read = (uri: string) => operation('resources/read', { uri });

  it('are matched as such, and a tool of that name is not', () => {
    expect(matches('allow', '{ resource: file:///srv/** }', read('file:///srv/a'))).toBe(true);
    expect(matches('allow', '{ resource: file:///srv/** }', read('file:///srv/../etc/a'))).toBe(false);
    expect(matches('allow', '{ resource: ["a:*", { matches: "b:.*" }] }', read('b:x'))).toBe(true);
    expect(matches('allow', '{ prompt: [review_*] }', operation('prompts/get', { name: 'review_pr' }))).toBe(
      true,
    );
    expect(matches('allow', '{ prompt: review_* }', operation('prompts/get', { name: 'other' }))).toBe(false);
    for (const match of ['{ resource: "**" }', '{ prompt: "*" }']) {
      const tool = { name: 'resources/read', arguments: { uri: 'a', name: 'a' } };
      expect(matches('deny', match, operation('tools/call', tool))).toBe(false);
    }
  });

  it('are also tools under the name of their method', () => {
    expect(matches('deny', '{ tool: resources/read, arguments: { uri: "a:*" } }', read('a:x'))).toBe(true);
  });

  it('cannot be combined with tools', () => {
    const text = 'rules: [{ action: deny, match: { tool: a, resource: "b:*" } }]';
    expect(problemsOf(text)).toMatchObject([
      { message: expect.stringContaining('tool and resource at once') },
    ]);
  });
});

describe('dates', () => {
  const at = (text: string, match: string) =>
    matches('allow', `{ time: ${match} }`, { time: Date.parse(text) });

  it('are local to their zone and include the whole last day', () => {
    const month = '{ from: 2026-12-01, until: 2026-12-31, zone: Europe/Berlin }';
    expect(at('2026-11-30T22:59:59Z', month)).toBe(false);
    expect(at('2026-11-30T23:00:00Z', month)).toBe(true);
    expect(at('2026-12-31T22:59:59Z', month)).toBe(true);
    expect(at('2026-12-31T23:00:00Z', month)).toBe(false);
  });

  it('may have a time, and combine with days and hours', () => {
    expect(at('2026-12-31T17:59:00Z', '{ until: 2026-12-31 18:00 }')).toBe(true);
    expect(at('2026-12-31T18:00:00Z', '{ until: 2026-12-31T18:00 }')).toBe(false);
    expect(at('2026-11-16T12:00:00Z', '{ until: 2026-12-31, days: mon, hours: "09:00-17:00" }')).toBe(true);
    expect(at('2026-11-17T12:00:00Z', '{ until: 2026-12-31, days: mon }')).toBe(false);
  });

  it.each([
    '{ until: 2026-02-30 }',
    '{ until: tomorrow }',
    '{ until: 2026-12-31T18:00Z }',
    '{ from: 2026-12-31 25:00 }',
    '{ from: 2026-12-02, until: 2026-12-01 }',
    '{ zone: UTC }',
  ])('%s is reported', (time) => {
    expect(problemsOf(`rules: [{ action: allow, match: { time: ${time} } }]`)).toHaveLength(1);
  });
});

describe('a rate', () => {
  const RULES = rulesOf(`
rules:
  - { name: some, action: allow, match: { tool: read_file }, rate: 2 per minute }
  - { name: rest, action: deny, match: { tool: read_file } }`);
  const at = (seconds: number) => callOf({ time: MONDAY_NOON + seconds * 1000 });

  it('limits how many calls a rule allows; the next rule decides the others', () => {
    const usage = createRuleUsage();
    const decide = (seconds: number) => {
      const decision = decideByRules(RULES, at(seconds), usage);
      const takeBack = usage.count(RULES, decision, at(seconds).time);
      return { name: decision.rule?.name, takeBack };
    };
    expect([0, 30, 59].map((seconds) => decide(seconds).name)).toEqual(['some', 'some', 'rest']);
    const freed = decide(60);
    expect(freed.name).toBe('some');
    expect(decide(61).name).toBe('rest');
    freed.takeBack();
    expect(decide(61).name).toBe('some');
    expect(explainByRules(RULES, at(62), usage).tried[0]?.failed).toEqual({
      condition: 'rate',
      expected: '2 per minute',
      found: '2 so far',
    });
  });

  it('keeps counting when the file changes', () => {
    const usage = createRuleUsage();
    for (const _ of [1, 2]) usage.count(RULES, decideByRules(RULES, at(0), usage), at(0).time);
    const changed = rulesOf(`
rules:
  - { action: deny, match: { tool: other } }
  - { name: some, action: allow, match: { tool: read_* }, rate: 2 per minute }`);
    expect(decideByRules(changed, at(1), usage).action).toBe('ask');
  });

  it('counts in a backtest', () => {
    const history = [1, 2, 3].map(() => past('allow', {}, { tool: 'read_file' }));
    expect(backtest(RULES, history).counts).toMatchObject({ same: 2, different: 1 });
  });

  it.each([
    ['{ action: deny, match: { tool: a }, rate: 1 per hour }', 'allow rule'],
    ['{ action: allow, match: { tool: a }, rate: 1/h }', '20 per hour'],
    ['{ action: allow, match: { tool: a }, rate: 0 per hour }', '20 per hour'],
    ['{ action: allow, match: { tool: a }, rate: { most: 3 } }', '20 per hour'],
  ])('%s is reported', (rule, expected) => {
    expect(problemsOf(`rules:\n  - ${rule}`)).toMatchObject([
      { line: 2, path: 'rules[0].rate', message: expect.stringContaining(expected) },
    ]);
  });
});
