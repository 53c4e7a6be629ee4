import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../json/json.js';
import { parseJson } from '../json/parse.js';
import { parsePayloadPattern } from './payload-pattern.js';

function matches(pattern: JsonObject, payload: JsonObject): boolean {
  const parsed = parsePayloadPattern(pattern, 'payload');
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  return parsed.value(payload);
}

function matchesValue(pattern: JsonValue, value: JsonValue): boolean {
  return matches({ value: pattern }, { value });
}

const call = (name: string, path: string): JsonObject => ({
  method: 'tools/call',
  params: { name, arguments: { path, content: 'x' } },
});

function deep(end: string): JsonObject {
  const parsed = parseJson(`${'{"a":'.repeat(60)}${JSON.stringify(end)}${'}'.repeat(60)}`);
  return parsed.ok ? (parsed.value as JsonObject) : {};
}

describe('patterns over payloads', () => {
  it('O-8: an object requires its own keys and ignores others', () => {
    const pattern = { params: { name: 'write_file', arguments: { path: '/tmp/**' } } };
    expect(matches(pattern, call('write_file', '/tmp/a/b.txt'))).toBe(true);
    expect(matches(pattern, call('read_file', '/tmp/a'))).toBe(false);
    expect(matches(pattern, call('write_file', '/etc/passwd'))).toBe(false);
    expect(matches(pattern, { params: { name: 'write_file' } })).toBe(false);
    expect(matches(pattern, { params: { name: 'write_file', arguments: {} } })).toBe(false);
    expect(matches(pattern, { params: [] })).toBe(false);
    expect(matches({}, call('anything', 'at all'))).toBe(true);
  });

  it.each(['Path', 'path ', 'ｐath', 'p\u200bath'])(
    'O-8: a key does not match beside %j, which may be mistaken for it',
    (name) => {
      const pattern = { params: { path: '/tmp/**' } };
      expect(matches(pattern, { params: { path: '/tmp/a', [name]: '/etc/passwd' } })).toBe(false);
      expect(matches(pattern, { params: { path: '/tmp/a', paths: '/etc/passwd' } })).toBe(true);
    },
  );

  it.each(['toString', 'constructor', 'hasOwnProperty'])('O-8: %s is absent unless it was sent', (key) => {
    expect(matches({ [key]: '**' }, {})).toBe(false);
    expect(matches({ [key]: {} }, {})).toBe(false);
    expect(matches({ [key]: '**' }, { [key]: null })).toBe(true);
  });

  it('O-8: undefined counts as absent', () => {
    expect(matches({ a: '**' }, { a: undefined })).toBe(false);
    expect(matches({ a: undefined }, {})).toBe(true);
  });

  it('O-8: an array matches element by element', () => {
    expect(matchesValue(['git', 'log*'], ['git', 'log'])).toBe(true);
    expect(matchesValue(['git', '**'], ['git', { any: 'thing' }])).toBe(true);
    expect(matchesValue(['git', '**'], ['git'])).toBe(false);
    expect(matchesValue(['git', '**'], ['git', 'push', '--force'])).toBe(false);
    expect(matchesValue(['git'], { 0: 'git', length: 1 })).toBe(false);
    expect(matchesValue([], [])).toBe(true);
  });

  it.each([0, 1, -1.5, true, false, null])('O-8: %j matches only itself', (value) => {
    expect(matchesValue(value, value)).toBe(true);
    const others = [0, 1, -1.5, true, false, null, '', String(value), [], {}].filter(
      (other) => other !== value,
    );
    for (const other of others) expect(matchesValue(value, other)).toBe(false);
  });

  it('O-8: ** alone matches anything present', () => {
    for (const value of ['', 'a/../b', 0, false, null, [], {}]) expect(matchesValue('**', value)).toBe(true);
    expect(matches({ a: '**' }, { b: 1 })).toBe(false);
  });

  it('O-8: a text matches only text', () => {
    for (const value of [0, null, [], ['a'], {}]) expect(matchesValue('*', value)).toBe(false);
  });

  it.each([
    ['/tmp/*', '/tmp/a'],
    ['/tmp/*', '/tmp/'],
    ['/tmp/*.txt', '/tmp/a.b.txt'],
    ['/tmp/**', '/tmp/a/b/c'],
    ['/tmp/**/c', '/tmp/a/b/c'],
    ['/tmp/*/c/**', '/tmp/a/c/d/e'],
    ['./src/*', './src/a.ts'],
    ['../shared/**', '../shared/a/b'],
    ['/tmp/.*', '/tmp/.profile'],
    ['**/*.md', 'docs/a.md'],
    ['https://example.org/**', 'https://example.org/a/b?c=d'],
    ['C:\\data\\*', 'C:\\data\\a.txt'],
    ['/tmp/a', '/tmp/a'],
    ['a/../b', 'a/../b'],
  ])('O-8: %s matches %s', (pattern, value) => {
    expect(matchesValue(pattern, value)).toBe(true);
  });

  it.each([
    ['/tmp/*', '/tmp/a/b'],
    ['/tmp/*', '/tmp'],
    ['/tmp/*', '/tmp/a\\b'],
    ['/tmp/**', '/tmp'],
    ['/tmp/**', '/tmpfile'],
    ['/tmp/**', '/TMP/a'],
    ['/tmp/**', ' /tmp/a'],
    ['/tmp/**', 'file:///tmp/a'],
    ['/tmp/**', '/tmp/../etc/passwd'],
    ['/tmp/**', '/tmp/a/../../etc/passwd'],
    ['/tmp/**', '/tmp/a/..'],
    ['/tmp/**', '/tmp/./a'],
    ['/tmp/**', '/tmp\\..\\etc'],
    ['/tmp/**', '/tmp/..\\..\\etc'],
    ['/tmp/**', '/tmp/%2e%2e/etc'],
    ['/tmp/**', '/tmp/%2E%2E%2Fetc'],
    ['/tmp/**', '/tmp/a%5c..'],
    ['/tmp/**', '/tmp/%252e%252e/etc'],
    ['/tmp/**', '/tmp/%c0%ae%c0%ae/etc'],
    ['/tmp/**', '/tmp//etc/passwd'],
    ['/tmp/**', '/tmp/a\u0000.txt'],
    ['/tmp/**', '/tmp/a\n/etc'],
    ['/tmp/**', '/tmp/../tmp/a'],
    ['/**', '//evil.example/a'],
    ['/tmp/*/x', '/tmp/../x'],
    ['/tmp/**/x', '/tmp/a/../../etc/x'],
    ['/tmp/.*', '/tmp/..'],
    ['/tmp/.*', '/tmp/../etc'],
    ['/tmp/*.', '/tmp/..'],
    ['/tmp/.*.', '/tmp/..'],
    ['/tmp/.*./etc', '/tmp/../etc'],
    ['/tmp/a*', '/tmp/a/../../etc'],
    ['./src/**', './src/../secret'],
    ['*', '..'],
    ['*', 'a/b'],
    ['https://example.org/**', 'https://example.org.evil/'],
  ])('O-8: %s does not match %j', (pattern, value) => {
    expect(matchesValue(pattern, value)).toBe(false);
  });

  it.each(['．．／etc', '..∕etc', '‥', 'ａ', 'Ａ'])(
    'O-8: the lookalike %s is literal text, one segment and nothing else',
    (name) => {
      expect(matchesValue('/tmp/*', `/tmp/${name}`)).toBe(true);
      expect(matchesValue('/tmp/a', `/tmp/${name}`)).toBe(false);
      expect(matchesValue('/tmp/../etc', `/tmp/${name}`)).toBe(false);
    },
  );

  it.each([
    ['***', '* within'],
    ['/tmp/***', '* within'],
    ['/tmp/*/../b', 'no dot segments'],
    ['/tmp/**//b', 'no dot segments'],
    ['/tmp/*%2fb', 'no dot segments'],
    ['x'.repeat(1025), 'at most 1024'],
    ['*a'.repeat(17), 'at most 16 wildcards'],
    [`${'**a*b'.repeat(8)}*`, 'at most 16 wildcards'],
  ])('O-8: the pattern %.20s is refused with its place', (pattern, expected) => {
    const parsed = parsePayloadPattern({ params: { 'a b': ['ok', pattern] } }, 'capability.payload');
    expect(parsed).toMatchObject({ ok: false, refusal: { code: 'invalid_field' } });
    if (parsed.ok) return;
    expect(parsed.refusal.details['field']).toBe('capability.payload.params["a b"][1]');
    expect(parsed.refusal.details['expected']).toContain(expected);
    expect(parsed.refusal.details['found']).toContain(pattern.slice(0, 10));
  });

  it('O-8: a text may have up to sixteen wildcards', () => {
    expect(matchesValue('*a'.repeat(16), 'ba'.repeat(16))).toBe(true);
    expect(matchesValue('**a*b'.repeat(8), 'c/acb'.repeat(8))).toBe(true);
  });

  it('O-8: a guarded wildcard covers at most 8192 characters, ** alone any number', () => {
    const long = `/tmp/${'a'.repeat(8192 - 5)}`;
    expect(matchesValue('/tmp/**', long)).toBe(true);
    expect(matchesValue('/tmp/*', long)).toBe(true);
    for (const pattern of ['/tmp/**', '/tmp/*', '**a', '*'])
      expect(matchesValue(pattern, `${long}a`)).toBe(false);
    expect(matchesValue('**', `${long}a`)).toBe(true);
    expect(matchesValue(long.slice(0, 1024), long.slice(0, 1024))).toBe(true);
  });

  it('O-8: a payload of the maximum depth is matched completely', () => {
    expect(matches(deep('b*'), deep('bc'))).toBe(true);
    expect(matches(deep('b*'), deep('cb'))).toBe(false);
  });
});
