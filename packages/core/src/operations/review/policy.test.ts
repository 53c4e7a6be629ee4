import { describe, expect, it } from 'vitest';
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
