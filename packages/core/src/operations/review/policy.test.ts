import { describe, expect, it } from 'vitest';
import { grants, parseCapability } from '../../capability/capability.js';
import { splitKind } from '../../capability/kind-pattern.js';
import type { JsonObject } from '../../json/json.js';
import { entryFor, type ReviewEntry } from './policy.js';

const entry = (name: string, call: ReviewEntry['call'], more: Partial<ReviewEntry> = {}): ReviewEntry => ({
  name,
  call,
  proposers: [],
  approvals: 1,
  from: ['ann'],
  veto: false,
  escalate: [],
  ...more,
});

const KIND = 'mcp.request.tools/call:write_file';
const under = (path: string): ReviewEntry['call'] => ({
  kind: KIND,
  payload: { params: { arguments: { path } } },
});

function writing(policy: readonly ReviewEntry[], args: JsonObject): string | undefined {
  const params = { name: 'write_file', arguments: args };
  return entryFor(policy, { method: 'tools/call', params, proposer: { name: 'agent' } })?.name;
}

function reading(pattern: string, uri: string): string | undefined {
  const policy = [entry('held', `mcp.request.resources/read:${pattern}`)];
  return entryFor(policy, { method: 'resources/read', params: { uri }, proposer: { name: 'agent' } })?.name;
}

describe('O-28: matching an entry to a call', () => {
  it.each<JsonObject>([
    { path: '/etc/passwd' },
    { path: '/etc/./passwd' },
    { path: '/etc//passwd' },
    { path: '/tmp/../etc/passwd' },
    { path: '/ETC/passwd' },
    { path: '/etc/passwd', Path: 'x' },
    { path: 'x', Path: '/etc/passwd' },
  ])('O-28: %o does not bypass /etc/**', (args) => {
    expect(writing([entry('etc', under('/etc/**'))], args)).toBe('etc');
    expect(writing([entry('etc', under('/etc/**')), entry('rest', KIND)], args)).toBe('etc');
  });

  it('O-28: a plainly different call does not match', () => {
    expect(writing([entry('etc', under('/etc/**'))], { path: '/tmp/a' })).toBeUndefined();
    expect(writing([entry('etc', under('/etc/**')), entry('rest', KIND)], { path: '/tmp/a' })).toBe('rest');
  });

  it.each([
    'file:///etc/passwd',
    'file:///etc/%2e/passwd',
    'file:///tmp/../etc/passwd',
    'FILE:///etc/passwd',
    'file:////etc/passwd',
  ])('O-28: nor does the resource %s', (uri) => {
    expect(reading('file:///etc/*', uri)).toBe('held');
  });

  it.each(['file:///home/ann/notes', 'https://example.com/etc/passwd'])(
    'O-28: but %s is unrestricted',
    (uri) => {
      expect(reading('file:///etc/*', uri)).toBeUndefined();
    },
  );

  it('O-28: doubt never leads to a milder entry', () => {
    const strict = entry('etc', under('/etc/**'), { approvals: 2 });
    const mild = entry('tmp', under('/tmp/**'), { from: [] });
    const doubtful = { path: '/tmp/../etc/passwd' };
    expect(writing([mild, strict], doubtful)).toBe('etc');
    expect(writing([mild, entry('rest', KIND)], doubtful)).toBe('rest');
    expect(writing([mild, entry('rest', KIND)], { path: '/tmp/a' })).toBe('tmp');
  });
});

describe('a long policy', () => {
  const PATTERNS = ['pay', 'Pay_*', 'pay_*', 'p*', '*_all', 'move/*', 'PAY', 'wr%69te', 'a.b', 'x'];
  const NAMES = [
    'pay',
    'PAY',
    'pay_all',
    'move',
    'Move',
    'write',
    'x',
    'a.b',
    'A.B',
    'pa\u200by',
    '../move/x',
  ];
  const others = Array.from({ length: 100 }, (_, index) =>
    entry(`#${index}`, `mcp.request.tools/call:zz${index}`),
  );

  it('O-28: finds an entry among a hundred others wherever its pattern, read widely, matches the call', () => {
    for (const pattern of PATTERNS) {
      const kind = `mcp.request.tools/call:${pattern}`;
      const parsed = parseCapability(kind, 'call', 'wide');
      const policy = [...others, entry('about', kind)];
      for (const name of NAMES) {
        const params = { name };
        const call = { method: 'tools/call', params, proposer: { name: 'agent' } };
        const isAbout =
          parsed.ok &&
          grants(parsed.value, splitKind(`mcp.request.tools/call:${name}`), {
            payload: { method: 'tools/call', params },
          });
        const found = entryFor(policy, call)?.name;
        expect([name, pattern, found]).toEqual([name, pattern, isAbout ? 'about' : undefined]);
      }
    }
  });

  const PATHS = [
    '/etc/**',
    '/ETC/*.conf',
    '/srv/a/*',
    '/srv/a/b',
    '*/secret',
    '/Über/**',
    '/e*c/**',
    'C:\\x\\**',
    '/',
  ];
  const ARGUMENTS: readonly JsonObject[] = [
    { path: '/etc/passwd' },
    { path: '/etc' },
    { path: '/ETC/x.conf' },
    { path: '/etc/x.conf' },
    { path: '/srv/a/b' },
    { path: '/srv/a/b/c' },
    { path: '/srv/../etc/passwd' },
    { path: 'x/secret' },
    { path: '/über/x' },
    { path: '/%65tc/passwd' },
    { path: 'file:///etc/passwd' },
    { path: 'c:/x/y' },
    { path: ['/etc/passwd'] },
    { path: 7 },
    { path: '/tmp/a', Path: '/etc/passwd' },
    { other: '/etc/passwd' },
    { path: '/tmp/a' },
  ];
  const elsewhere = Array.from({ length: 20 }, (_, index) =>
    entry(`#${index}`, under(`/far/away-${index}/**`)),
  );

  it('O-28: finds an entry among many about other paths wherever its pattern, read widely, matches the call', () => {
    for (const path of PATHS) {
      const about = [entry('about', under(path))];
      const [first, last] = [
        [...about, ...elsewhere],
        [...elsewhere, ...about],
      ];
      for (const args of ARGUMENTS) {
        // A call in doubt may match any of them: then the first one counts.
        const other = writing(elsewhere, args);
        const alone = writing(about, args);
        expect([args, path, writing(first, args)]).toEqual([args, path, alone ?? other]);
        expect([args, path, writing(last, args)]).toEqual([args, path, other ?? alone]);
      }
    }
  });

  it('O-28: distinguishes many entries by the argument in which they differ', () => {
    const calls = elsewhere.map(({ name }, index): ReviewEntry => {
      const args = { path: `/far/away-${index}/**`, mode: 'w' };
      const payload = { params: { name: 'write_file', arguments: args } };
      return entry(name, { kind: 'mcp.request.tools/*', payload });
    });
    expect(writing(calls, { path: '/far/away-12/x', mode: 'w' })).toBe('#12');
    expect(writing(calls, { path: '/far/away-12/x', mode: 'r' })).toBeUndefined();
  });
});
