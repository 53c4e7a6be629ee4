import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRules } from '../index.js';
import { problemsOf, rulesOf } from '../testing/rules.js';

const WHOLE = `
version: "2026-11"
default: { action: deny, reason: Nobody has thought about this yet. }
servers:
  filesystem: { trustHints: false, tools: { write_file: { destructiveHint: true } } }
rules:
  - name: the project
    action: allow
    reason: It is theirs.
    match:
      participant: [agent, "helper-*"]
      server: filesystem
      tool: read_*
      arguments: { path: /srv/project/** }
      argumentsEqual: { encoding: utf8 }
      noOtherArguments: true
      annotations: { readOnlyHint: false }
      time: { days: [mon-thu, fri], hours: ["08:00-12:00", "13:00-17:00"], zone: Europe/Berlin }
`;

describe('a file of rules', () => {
  it('maps calls to actions', () => {
    const rules = rulesOf(WHOLE);
    expect(rules.rules).toMatchObject([{ name: 'the project', index: 0, line: 7, action: 'allow' }]);
    expect(rules.otherwise).toEqual({ action: 'deny', reason: 'Nobody has thought about this yet.' });
  });

  it('asks people by default', () => {
    expect(rulesOf('rules: []').otherwise).toEqual({ action: 'ask' });
  });

  it('may be JSON', () => {
    const json = '{"rules":[{"action":"deny","match":{"tool":"rm"}}]}';
    expect(rulesOf(json).rules).toHaveLength(1);
  });

  it('has a version that depends on its content, not on its layout', () => {
    const { version } = rulesOf(WHOLE);
    expect(version).toMatch(/^2026-11@[0-9a-f]{12}$/);
    expect(
      rulesOf(`# a comment\n${WHOLE.replaceAll('action: allow\n', 'action:   "allow"\n')}`).version,
    ).toBe(version);
    expect(rulesOf(WHOLE.replace('/srv/project', '/srv/projects')).version).not.toBe(version);
    expect(rulesOf(WHOLE.replace('trustHints: false', 'trustHints: true')).version).not.toBe(version);
    expect(rulesOf(WHOLE.replace('version: "2026-11"', '')).version).toBe(version.slice('2026-11@'.length));
  });
});

describe('an invalid rule file', () => {
  it.each([
    ['rule: []', 1, 1, 'rule', 'rules'],
    ['rules:\n  - acton: allow\n    match: { tool: a }', 2, 5, 'rules[0].acton', 'action'],
    ['rules:\n  - action: alow\n    match: { tool: a }', 2, 13, 'rules[0].action', 'allow'],
    ['rules:\n  - action: allow\n    match: { tol: a }', 3, 14, 'rules[0].match.tol', 'tool'],
    [
      'rules:\n  - action: ask\n    match: { annotations: { readonlyHint: true } }',
      3,
      29,
      'rules[0].match.annotations.readonlyHint',
      'readOnlyHint',
    ],
    [
      'rules:\n  - action: ask\n    match: { annotations: { readOnlyHint: yes } }',
      3,
      43,
      'rules[0].match.annotations.readOnlyHint',
      'true',
    ],
    [
      'rules:\n  - action: ask\n    match: { time: { days: mon-frl } }',
      3,
      28,
      'rules[0].match.time.days',
      'fri',
    ],
    [
      'rules:\n  - action: ask\n    match: { time: { hours: 9-17 } }',
      3,
      29,
      'rules[0].match.time.hours',
      undefined,
    ],
    [
      'rules:\n  - action: ask\n    match: { time: { hours: "09:00-17:00", zone: Europe/Berln } }',
      3,
      50,
      'rules[0].match.time.zone',
      'Europe/Berlin',
    ],
    [
      'rules:\n  - action: ask\n    match: { arguments: { path: /tmp/***/x } }',
      3,
      33,
      'rules[0].match.arguments.path',
      undefined,
    ],
    [
      'rules:\n  - action: ask\n    match: { arguments: { path: "/tmp/*/../x" } }',
      3,
      33,
      'rules[0].match.arguments.path',
      undefined,
    ],
    ['rules:\n  - action: ask\n    match: {}', 3, 12, 'rules[0].match', undefined],
    ['rules:\n  - action: ask', 2, 5, 'rules[0].match', undefined],
    [
      'servers:\n  files: { trusthints: false }\ndefault: ask',
      2,
      12,
      'servers.files.trusthints',
      'trustHints',
    ],
    ['default: perhaps', 1, 10, 'default', undefined],
    ['version: [1]\ndefault: ask', 1, 10, 'version', undefined],
    ['rules:\n  - action: ask\n    match: { tool: *.txt }', 3, 20, '', undefined],
    ['default: ask\ndefault: deny', 2, 1, '', undefined],
    ['', 1, 1, '', undefined],
  ])('%j is reported with its line, its column and a suggestion', (text, line, column, path, suggestion) => {
    const [problem] = problemsOf(text);
    expect(problem).toMatchObject({ source: 'rules.yaml', line, column, path });
    expect(problem?.suggestion).toBe(suggestion);
    expect(problem?.message).toMatch(/[.]$/);
  });

  it('reports all problems at once, one line each, in file order', () => {
    const parsed = parseRules('rules:\n  - action: alow\n    match: { tol: a }\ndefalt: ask', 'my.yaml');
    expect(parsed.ok).toBe(false);
    if (parsed.ok) return;
    expect(parsed.refusal.code).toBe('invalid_rules');
    expect(parsed.refusal.message.split('\n').map((line) => line.slice(0, 12))).toEqual([
      'my.yaml:2:13',
      'my.yaml:3:14',
      'my.yaml:4:1:',
      '3 problems i',
    ]);
  });

  it('must not use a name twice, so that a decision names one rule', () => {
    const rule = '  - { name: same, action: ask, match: { tool: a } }\n';
    expect(problemsOf(`rules:\n${rule}${rule}`)).toMatchObject([{ line: 3, path: 'rules[1].name' }]);
  });

  it('I-7: is refused if it is built to exhaust the parser', () => {
    const aliases = `version: &a x\nrules: [${'*a, '.repeat(10)}]\n`;
    expect(problemsOf(aliases)[0]?.message).toContain('Aliases');
    for (const deep of ['['.repeat(50_000), '- '.repeat(50_000), '{a: '.repeat(50_000)]) {
      expect(problemsOf(deep)).toMatchObject([{ message: expect.stringContaining('too deep') }]);
    }
    const lines = Array.from({ length: 1_000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n');
    expect(problemsOf(lines)).toMatchObject([{ message: expect.stringContaining('too deep') }]);
    expect(problemsOf('#'.repeat(9_000_000))).toMatchObject([
      { message: expect.stringContaining('too long') },
    ]);
  });

  it('reports an unclosed bracket as such', () => {
    const [problem] = problemsOf('rules:\n  - { action: ask, match: { tool: [a, b }\n');
    expect(problem?.message).toContain('Unclosed');
  });

  it('is either refused or read, whatever the text', () => {
    const word = fc.constantFrom(
      'rules',
      'match',
      'tool',
      ':',
      '- ',
      '\n',
      ' ',
      '*',
      '&a',
      '{',
      '}',
      '"',
      'ask',
      '!!x',
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(word).map((words) => words.join('')),
    );
    fc.assert(
      fc.property(text, (written) => {
        const parsed = parseRules(written);
        if (parsed.ok) return;
        for (const { line, column } of problemsOf(written)) {
          expect(Math.min(line, column)).toBeGreaterThanOrEqual(1);
        }
      }),
    );
  });
});
