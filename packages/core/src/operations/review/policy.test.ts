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

describe('O-28: which entry is about a call', () => {
  it.each<JsonObject>([
    { path: '/etc/passwd' },
    { path: '/etc/./passwd' },
    { path: '/etc//passwd' },
    { path: '/tmp/../etc/passwd' },
    { path: '/ETC/passwd' },
    { path: '/etc/passwd', Path: 'x' },
    { path: 'x', Path: '/etc/passwd' },
  ])('O-28: %o is not a way around /etc/**', (args) => {
    expect(writing([entry('etc', under('/etc/**'))], args)).toBe('etc');
    expect(writing([entry('etc', under('/etc/**')), entry('rest', KIND)], args)).toBe('etc');
  });

  it('O-28: a call that is plainly something else is none of its business', () => {
    expect(writing([entry('etc', under('/etc/**'))], { path: '/tmp/a' })).toBeUndefined();
    expect(writing([entry('etc', under('/etc/**')), entry('rest', KIND)], { path: '/tmp/a' })).toBe('rest');
  });

  it.each([
    'file:///etc/passwd',
    'file:///etc/%2e/passwd',
    'file:///tmp/../etc/passwd',
    'FILE:///etc/passwd',
    'file:////etc/passwd',
  ])('O-28: nor is the resource %s', (uri) => {
    expect(reading('file:///etc/*', uri)).toBe('held');
  });

  it.each(['file:///home/ann/notes', 'https://example.com/etc/passwd'])('O-28: but %s is free', (uri) => {
    expect(reading('file:///etc/*', uri)).toBeUndefined();
  });

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
    for (const name of NAMES) {
      const params = { name };
      const call = { method: 'tools/call', params, proposer: { name: 'agent' } };
      for (const pattern of PATTERNS) {
        const kind = `mcp.request.tools/call:${pattern}`;
        const parsed = parseCapability(kind, 'call', 'wide');
        const isAbout =
          parsed.ok &&
          grants(parsed.value, splitKind(`mcp.request.tools/call:${name}`), { method: 'tools/call', params });
        const found = entryFor([...others, entry('about', kind)], call)?.name;
        expect([name, pattern, found]).toEqual([name, pattern, isAbout ? 'about' : undefined]);
      }
    }
  });
});
