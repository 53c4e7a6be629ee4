import { defined } from '@proffer/core/json';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trustsHints } from '../guard.js';
import { type CallFacts, decideByRules, defaultRules, explainByRules } from '../index.js';
import { callOf, rulesOf } from '../testing/rules.js';

describe('the first rule that matches', () => {
  const name = fc.constantFrom('a', 'b', 'ab', 'ba');
  const pattern = fc.constantFrom('a', 'b', 'ab', 'a*', '*b', '*');
  const rule = fc.record({
    action: fc.constantFrom('allow', 'ask', 'deny'),
    match: fc.record(
      { tool: fc.oneof(pattern, fc.array(pattern, { minLength: 1, maxLength: 3 })), participant: pattern },
      { requiredKeys: ['participant'] },
    ),
  });

  it('decides, however the rules are indexed internally', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 12 }), name, name, (written, tool, participant) => {
        const rules = rulesOf(JSON.stringify({ rules: written }));
        const follows = (text: string, wanted: string) =>
          new RegExp(`^${wanted.replaceAll('*', '.*')}$`).test(text);
        const index = written.findIndex(
          ({ match }) =>
            follows(participant, match.participant) &&
            [match.tool ?? '*'].flat().some((wanted) => follows(tool, wanted)),
        );
        const call = callOf({ tool, participant });
        const decision = decideByRules(rules, call);
        expect(decision.rule?.index ?? -1).toBe(index);
        expect(decision.action).toBe(written[index]?.action ?? 'ask');
        expect(explainByRules(rules, call).decision).toEqual(decision);
        expect(explainByRules(rules, call).tried).toHaveLength(index === -1 ? written.length : index + 1);
      }),
    );
  });

  it('is named in the decision, with the version and a reason', () => {
    const rules = rulesOf(`
rules:
  - { action: deny, match: { tool: rm } }
  - { name: mine, action: ask, match: { tool: mv } }
  - { action: allow, reason: It is harmless., match: { tool: ls } }`);
    const { version } = rules;
    const decide = (tool: string) => decideByRules(rules, callOf({ tool }));
    expect(decide('rm')).toEqual({
      action: 'deny',
      reason: 'The rule on line 3 says deny.',
      rule: { index: 0, line: 3 },
      version,
    });
    expect(decide('mv').reason).toBe('Rule "mine" (line 4) says ask.');
    expect(decide('ls').reason).toBe('It is harmless.');
    expect(decide('cp')).toEqual({
      action: 'ask',
      reason: 'No rule matches; the default is to ask.',
      version,
    });
  });
});

describe('hints', () => {
  const RULES = `
servers:
  loud: { trustHints: false, tools: { peek: { readOnlyHint: true } } }
  "*": { tools: { odd: { destructiveHint: true, readOnlyHint: false } } }
rules:
  - { action: allow, match: { annotations: { readOnlyHint: true } } }
  - { action: deny, match: { annotations: { destructiveHint: true, openWorldHint: true } } }`;
  const decide = (facts: Partial<CallFacts>) => decideByRules(rulesOf(RULES), callOf(facts)).action;

  it("default to MCP's values if a server sends none", () => {
    expect(decide({})).toBe('deny');
    expect(decide({ annotations: { destructiveHint: false } })).toBe('ask');
    expect(decide({ annotations: { openWorldHint: false } })).toBe('ask');
  });

  it('count only if the server is trusted, and the file overrides them', () => {
    const annotations = { readOnlyHint: true };
    expect(decide({ annotations, server: 'quiet' })).toBe('allow');
    expect(decide({ annotations, server: 'loud' })).toBe('deny');
    expect(decide({ server: 'loud', tool: 'peek' })).toBe('allow');
    expect(decide({ annotations, server: 'quiet', tool: 'odd' })).toBe('deny');
    expect(decide({ annotations, tool: 'odd' })).toBe('deny');
  });

  it('count only as booleans, whatever a server sends', () => {
    const annotations = { readOnlyHint: 'true' } as unknown as CallFacts['annotations'];
    expect(decide(defined({ annotations }))).toBe('deny');
  });

  it('that say both only reading and destruction are not believed the first, unless the file says so', () => {
    const both = { annotations: { readOnlyHint: true, destructiveHint: true } };
    expect(decideByRules(defaultRules(), callOf(both)).action).toBe('ask');
    const file = (servers: string) =>
      rulesOf(`
servers: { "*": ${servers} }
rules: [{ action: allow, match: { annotations: { readOnlyHint: true } } }]`);
    const call = callOf({ ...both, tool: 'x' });
    expect(decideByRules(file('{ trustHints: true }'), call).action).toBe('ask');
    expect(decideByRules(file('{ tools: { x: { readOnlyHint: true } } }'), call).action).toBe('allow');
    const reading = callOf({ annotations: { readOnlyHint: true }, tool: 'x' });
    expect(decideByRules(file('{ trustHints: true }'), reading).action).toBe('allow');
    expect(decideByRules(file('{ tools: { x: { destructiveHint: true } } }'), reading).action).toBe('ask');
  });

  it('are trusted, ignored or left open by a file, for each server', () => {
    const { hints } = rulesOf(
      '{ default: ask, servers: { a: { trustHints: true }, b: { trustHints: false }, c: {} } }',
    );
    expect(['a', 'b', 'c', 'd'].map((server) => trustsHints(hints, server))).toEqual([
      true,
      false,
      undefined,
      undefined,
    ]);
  });

  it('drive the default rules', () => {
    expect(decideByRules(defaultRules(), callOf()).action).toBe('ask');
    expect(decideByRules(defaultRules(), callOf({ annotations: { readOnlyHint: true } })).action).toBe(
      'allow',
    );
  });
});

describe('time', () => {
  const at = (text: string, match: string) => {
    const rules = rulesOf(`rules: [{ action: allow, match: { time: ${match} } }]`);
    return decideByRules(rules, callOf({ time: Date.parse(text) })).action === 'allow';
  };

  it('is local to the zone, in summer and winter', () => {
    const office = '{ days: mon-fri, hours: "09:00-17:00", zone: Europe/Berlin }';
    expect(at('2026-11-16T07:59:59Z', office)).toBe(false);
    expect(at('2026-11-16T08:00:00Z', office)).toBe(true);
    expect(at('2026-11-16T15:59:59Z', office)).toBe(true);
    expect(at('2026-11-16T16:00:00Z', office)).toBe(false);
    expect(at('2026-07-13T07:00:00Z', office)).toBe(true);
    expect(at('2026-11-15T12:00:00Z', office)).toBe(false);
  });

  it('may cross midnight and the weekend', () => {
    expect(at('2026-11-16T23:00:00Z', '{ hours: "22:00-06:00" }')).toBe(true);
    expect(at('2026-11-16T05:59:00Z', '{ hours: "22:00-06:00" }')).toBe(true);
    expect(at('2026-11-16T06:00:00Z', '{ hours: "22:00-06:00" }')).toBe(false);
    expect(at('2026-11-16T23:59:59Z', '{ hours: "12:00-24:00" }')).toBe(true);
    expect(at('2026-11-15T12:00:00Z', '{ days: [fri-mon] }')).toBe(true);
    expect(at('2026-11-17T12:00:00Z', '{ days: [fri-mon] }')).toBe(false);
  });

  it('never allows and always denies if it is invalid', () => {
    const match = '{ time: { hours: "00:00-24:00" } }';
    const rules = (action: string) => rulesOf(`rules: [{ action: ${action}, match: ${match} }]`);
    expect(decideByRules(rules('allow'), callOf({ time: Number.NaN })).rule).toBeUndefined();
    expect(decideByRules(rules('deny'), callOf({ time: Number.NaN })).action).toBe('deny');
  });
});

describe('an explanation', () => {
  it('lists for each rule which condition failed, what it found and what it wanted', () => {
    const rules = rulesOf(`
default: deny
rules:
  - { name: one, action: allow, match: { tool: write_file } }
  - { name: two, action: allow, match: { tool: read_*, arguments: { path: /srv/** } } }
  - { name: three, action: ask, match: { server: files, arguments: { path: /etc/** } } }
  - { name: four, action: deny, match: { participant: agent } }`);
    const call = callOf({ arguments: { path: '/srv/../etc/passwd' } });
    const { decision, tried } = explainByRules(rules, call);
    expect(decision).toMatchObject({ action: 'ask', rule: { name: 'three' } });
    const path = { condition: 'arguments.path', found: '"/srv/../etc/passwd"' };
    expect(tried).toMatchObject([
      { matched: false, failed: { condition: 'tool', expected: 'write_file', found: '"read_file"' } },
      { matched: false, failed: { ...path, expected: '"/srv/**"' } },
      {
        matched: true,
        doubtful: [
          { condition: 'server', expected: 'files', found: 'nothing' },
          { ...path, expected: '"/etc/**"' },
        ],
      },
    ]);
  });
});

describe('accepting a tool that has changed', () => {
  it.each(['proffer_trust', 'files/proffer_trust'])(
    '%s is left to people, unless a rule names it',
    (tool) => {
      const decide = (rules: string) => decideByRules(rulesOf(rules), callOf({ tool })).action;
      expect(decide('default: allow')).toBe('ask');
      expect(decide('rules: [{ action: allow, match: { tool: "*" } }]')).toBe('ask');
      expect(decide('rules: [{ action: allow, match: { participant: agent } }]')).toBe('ask');
      expect(decide(`rules: [{ action: allow, match: { tool: ${tool} } }]`)).toBe('allow');
      expect(decide('default: deny')).toBe('deny');
    },
  );
});
