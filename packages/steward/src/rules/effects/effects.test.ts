import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import type { CallFacts } from '../call-facts.js';
import { decideByRules } from '../decide-by-rules.js';
import { parseRules } from '../parse-rules.js';

function rulesOf(text: string) {
  const parsed = parseRules(text, 'rules.yaml');
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  return parsed.value;
}

function problemsOf(text: string): string {
  const parsed = parseRules(text, 'rules.yaml');
  return parsed.ok ? '' : parsed.refusal.message;
}

const CALL: CallFacts = { participant: 'claude-code', tool: 'Bash', arguments: {}, time: 0 };
const command = (...words: (string | null)[]): CallFacts => ({ ...CALL, command: { words } });

describe('a rule about commands', () => {
  const allows = (pattern: string, call: CallFacts) =>
    decideByRules(rulesOf(`rules: [{ action: allow, match: { command: ${JSON.stringify(pattern)} } }]`), call)
      .action === 'allow';
  const denies = (pattern: string, call: CallFacts) =>
    decideByRules(rulesOf(`rules: [{ action: deny, match: { command: ${JSON.stringify(pattern)} } }]`), call)
      .action === 'deny';

  it.each<[string, (string | null)[]]>([
    ['git status', ['git', 'status']],
    ['git log **', ['git', 'log']],
    ['git log **', ['git', 'log', '-p', 'a b']],
    ['npm run test:*', ['npm', 'run', 'test:unit']],
    ['git ** --force', ['git', 'push', 'origin', '--force']],
    ['ls *', ['ls', 'a']],
    ['cat **', ['cat', null]],
    ['cat ** x', ['cat', null, 'a', 'x']],
  ])('%s holds for %j, whether it allows or denies', (pattern, words) => {
    expect(allows(pattern, command(...words))).toBe(true);
    expect(denies(pattern, command(...words))).toBe(true);
  });

  it.each([
    ['git status', ['git', 'status', '-s']],
    ['git log **', ['git', 'push']],
    ['git log', ['gitlog']],
    ['ls *', ['ls']],
  ])('%s does not hold for %j', (pattern, words) => {
    expect(allows(pattern, command(...words))).toBe(false);
    expect(denies(pattern, command(...words))).toBe(false);
  });

  it.each<[string, (string | null)[]]>([
    ['rm **', ['/bin/rm', 'x']],
    ['rm **', ['RM', 'x']],
    ['rm -rf *', ['rm', '-rf', 'a', 'b']],
    ['rm -rf x', ['rm', null]],
    ['rm -rf x', ['rm', '-rf', 'x', null]],
    ['cat *', ['cat', null]],
    ['cat ** x', ['cat', null]],
    ['git diff', ['git', 'diff', null]],
    ['rm x', [null, 'x']],
  ])('%s is in doubt for %j: it denies and does not allow', (pattern, words) => {
    expect(allows(pattern, command(...words))).toBe(false);
    expect(denies(pattern, command(...words))).toBe(true);
  });

  it('names the variables that may be set', () => {
    const set = (...variables: [string, string | null][]): CallFacts => ({
      ...CALL,
      command: { words: ['npm', 'test'], variables: variables.map(([name, value]) => ({ name, value })) },
    });
    for (const call of [set(['CI', '1']), set(['CI', '']), set(['CI', null])]) {
      expect(allows('CI=* npm test', call)).toBe(true);
      expect(allows('npm test', call)).toBe(false);
      expect(denies('npm test', call)).toBe(true);
    }
    expect(allows('CI=1 npm test', set(['CI', '1']))).toBe(true);
    expect(allows('CI=1 npm test', set(['CI', '2']))).toBe(false);
    expect(denies('CI=1 npm test', set(['CI', '2']))).toBe(false);
    expect(allows('CI=1 npm test', set(['CI', null]))).toBe(false);
    expect(allows('CI=1 npm test', set())).toBe(false);
    expect(allows('CI=* npm test', set(['CI', '1'], ['PATH', 'x']))).toBe(false);
    expect(allows('PATH=* CI=* npm **', set(['CI', '1'], ['PATH', 'x']))).toBe(true);
    const alone = { ...CALL, command: { words: [], variables: [{ name: 'CI', value: '1' }] } };
    expect(allows('CI=*', alone)).toBe(true);
    expect(allows('PATH=*', alone)).toBe(false);
  });

  it('is in doubt for a command with other variables set, and for an unparsed line', () => {
    const altered = {
      ...CALL,
      command: { words: ['git', 'status'], variables: [{ name: 'PATH', value: 'x' }] },
    };
    const unread = { ...CALL, arguments: { command: 'git status' } };
    for (const call of [altered, unread]) {
      expect(allows('git status', call)).toBe(false);
      expect(denies('git status', call)).toBe(true);
    }
    expect(denies('git status', { ...CALL, arguments: { path: 'git status' } })).toBe(false);
  });

  it('names one command: joining several is reported as an error', () => {
    for (const pattern of ['rm x; ls', 'a && b', 'a | b', 'echo $(id)', "sh -c 'x'"])
      expect(
        problemsOf(`rules: [{ action: deny, match: { command: ${JSON.stringify(pattern)} } }]`),
      ).toContain('one command');
    expect(problemsOf('rules: [{ action: deny, match: { command: "" } }]')).toContain('expected a command');
  });
});

describe('a rule about paths and hosts', () => {
  const decide = (action: string, match: string, call: Partial<CallFacts>) =>
    decideByRules(rulesOf(`rules: [{ action: ${action}, match: ${match} }]`), { ...CALL, ...call }).action;

  it('allows if all match, and denies if one does', () => {
    const both = { paths: [['/srv/app/a', './a'], ['/etc/passwd']] };
    expect(decide('allow', '{ path: /srv/app/** }', both)).toBe('ask');
    expect(decide('deny', '{ path: /etc/** }', both)).toBe('deny');
    expect(decide('allow', '{ path: [./**, /etc/passwd] }', both)).toBe('allow');
    expect(decide('deny', '{ path: /var/** }', both)).toBe('ask');
    expect(decide('deny', '{ path: "**/.env" }', { paths: [['/srv/app/.env']] })).toBe('deny');
  });

  it('does not allow changing files that run later by a wildcard, at any depth, also behind a guard', () => {
    const write = (path: string, more: Partial<CallFacts> = {}) => ({ arguments: { path }, ...more });
    const reads = { annotations: { readOnlyHint: true } };
    for (const path of ['/srv/.git/config', '/srv/a/b/.git/hooks/x', '/srv/a/.husky/x', '/srv/a/.bashrc']) {
      expect(decide('allow', '{ path: /srv/** }', write(path))).toBe('ask');
      expect(decide('allow', '{ path: /srv/** }', write(path, reads))).toBe('allow');
      expect(decide('deny', '{ path: /srv/** }', write(path))).toBe('deny');
    }
    expect(decide('allow', '{ path: /srv/**/.husky/* }', write('/srv/a/.husky/x'))).toBe('allow');
    expect(decide('allow', '{ path: /srv/** }', write('/srv/a/.gitignore'))).toBe('allow');
  });

  it('is in doubt about unknown paths and hosts, and does not hold for a call without any', () => {
    expect(decide('allow', '{ path: "**" }', { paths: [[]] })).toBe('ask');
    expect(decide('deny', '{ path: /etc/** }', { paths: [[]] })).toBe('deny');
    expect(decide('deny', '{ path: /etc/** }', { paths: [] })).toBe('ask');
    expect(decide('allow', '{ host: "*.example.org" }', { hosts: ['a.example.org', null] })).toBe('ask');
    expect(decide('allow', '{ host: "*.example.org" }', { hosts: ['a.example.org'] })).toBe('allow');
  });

  it('is in doubt about a folder itself, its parents, and different case', () => {
    for (const path of ['/etc', '/', '/ETC/passwd']) {
      expect(decide('deny', '{ path: /etc/** }', { paths: [[path]] })).toBe('deny');
      expect(decide('allow', '{ path: /etc/** }', { paths: [[path]] })).toBe('ask');
    }
    expect(problemsOf('rules: [{ action: deny, match: { path: src/** } }]')).toContain('no starting point');
  });

  it.each([
    'https://evil.example',
    'evil.example:80',
    'evil.example/x',
    'evil.example.',
    'münchen.example',
    '127.1',
  ])('is an error if no host is written like %s', (host) => {
    for (const match of [JSON.stringify(host), JSON.stringify([host]), JSON.stringify({ not: host })])
      expect(problemsOf(`rules: [{ action: deny, match: { host: ${match} } }]`)).toContain(
        'the name of a host',
      );
  });

  it('sees the host of a URL, however it is written', () => {
    const hosts = ['127.0.0.1', '[::1]', '*.evil.example', 'EVIL.example', { anyOf: ['evil.example'] }];
    const match = `{ host: ${JSON.stringify(hosts)} }`;
    for (const at of [
      ' https://evil.example',
      'https:/evil.example',
      'https:evil.example',
      'https://evil.example.',
    ])
      expect([at, decide('deny', match, { arguments: { at } })]).toEqual([at, 'deny']);
    expect(decide('deny', '{ path: /etc/** }', { arguments: { at: 'file:///etc/passwd' } })).toBe('deny');
  });

  it.each<JsonObject>([
    { path: '.env' },
    { paths: ['a', '.env'] },
    { options: { targetFile: 'a b/.env' } },
    { path: '.ENV' },
    { path: ' .env' },
    { path: 'a b/../.env' },
    { name: 'a b/../.env' },
    { path: 'a:b/../.env' },
    { path: 'FILE:/srv/.env' },
  ])('denies a relative path in an argument: %j', (given) => {
    expect(decide('deny', '{ path: "**/.env" }', { arguments: given })).toBe('deny');
  });

  it('allows only if no argument may be another path', () => {
    const move = (destination: string) =>
      decide('allow', '{ path: /srv/** }', { arguments: { source: '/srv/a', destination, mode: 'fast' } });
    expect(move('/srv/b')).toBe('allow');
    for (const other of ['b', 'b c/../../etc/x', 'b c', '../b'])
      expect([other, move(other)]).toEqual([other, 'ask']);
    expect(
      decide('deny', '{ path: "**/.env" }', { arguments: { to: 'ann@example.org', text: 'a / b' } }),
    ).toBe('ask');
  });

  it('falls back to what the arguments look like', () => {
    const args = { arguments: { file: '/etc/passwd', at: 'https://evil.example/x' } };
    expect(decide('deny', '{ path: /etc/** }', args)).toBe('deny');
    expect(decide('deny', '{ host: evil.example }', args)).toBe('deny');
    expect(decide('deny', '{ path: /etc/** }', { arguments: { file: '../../etc/passwd' } })).toBe('deny');
    expect(decide('deny', '{ path: /etc/** }', { arguments: { file: '/srv/../etc/passwd' } })).toBe('deny');
    expect(decide('deny', '{ path: /etc/** }', { arguments: { text: 'good morning' } })).toBe('ask');
  });
});
