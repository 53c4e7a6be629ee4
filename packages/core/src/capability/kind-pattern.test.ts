import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalKindPattern } from '../envelope/dialects/legacy.js';
import { runs } from '../testing/runs.js';
import { matchKindPattern, operationsInstead, parseKindPattern, splitKind } from './kind-pattern.js';

function matches(pattern: string, kind: string): boolean {
  const parsed = parseKindPattern(pattern, 'capability');
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  return matchKindPattern(parsed.value, splitKind(kind));
}

/** The meaning of a pattern by brute force: slow, and short enough to be obviously right. */
function matchesSlowly(pattern: string, kind: string): boolean {
  const [levels = ''] = kind.split(':', 1);
  return startsSlowly(pattern, pattern.includes(':') ? kind : levels);
}

function startsSlowly(pattern: string, kind: string): boolean {
  if (pattern === '') return kind === '';
  if (pattern === '*') return true;
  if (!pattern.startsWith('*')) {
    return kind.startsWith(pattern.charAt(0)) && startsSlowly(pattern.slice(1), kind.slice(1));
  }
  if (startsSlowly(pattern.slice(1), kind)) return true;
  return kind !== '' && !'./:'.includes(kind.charAt(0)) && startsSlowly(pattern, kind.slice(1));
}

describe('patterns over kinds', () => {
  it('O-8: the matcher agrees with brute force', () => {
    const word = fc.constantFrom('a', 'b', 'ab', 'ba', 'aab');
    const joined = (separators: readonly string[]) =>
      fc
        .tuple(word, fc.array(fc.tuple(fc.constantFrom(...separators), word), { maxLength: 3 }))
        .map(([first, more]) => first + more.flat().join(''));
    const kind = fc
      .tuple(joined(['.', '/']), fc.option(joined(['.', '/', ':'])))
      .map(([levels, context]) => (context === null ? levels : `${levels}:${context}`));
    // A pattern is a kind with some parts replaced by stars, so that many match.
    const cuts = fc.array(fc.tuple(fc.nat(12), fc.nat(4)), { maxLength: 4 });
    const cut = (text: string, at: number, length: number) =>
      `${text.slice(0, at)}*${text.slice(at + length)}`;
    fc.assert(
      fc.property(kind, kind, cuts, fc.boolean(), (one, other, cuts, same) => {
        const pattern = cuts.reduce((text, [at, length]) => cut(text, at, length), one).replace(/\*+/g, '*');
        // A pattern that starts with a word and a slash is in slash form, and becomes a different one when
        // parsed.
        fc.pre(canonicalKindPattern(pattern) === pattern && parseKindPattern(pattern, 'capability').ok);
        const kind = same ? one : other;
        expect(matches(pattern, kind)).toBe(matchesSlowly(pattern, kind));
      }),
      runs(5000),
    );
  });

  it.each([
    ['chat.message', 'chat.message'],
    ['*', 'chat.message'],
    ['*', 'mcp.request.resources/read:file:///srv/a/../b'],
    ['mcp.*', 'mcp.request'],
    ['mcp.*', 'mcp.request.tools/call:read_file'],
    ['mcp.request.*', 'mcp.request.tools/list'],
    ['mcp.re*', 'mcp.response.tools/call'],
    ['mcp.request.tools/*', 'mcp.request.tools/call'],
    ['mcp.request.tools/*', 'mcp.request.tools/call:read_file'],
    ['mcp.request.*/list', 'mcp.request.tools/list'],
    ['mcp.request.*/list', 'mcp.request.prompts/list'],
    ['mcp.*.tools/call', 'mcp.proposal.tools/call'],
    ['mcp.*.tools/call:read_*', 'mcp.proposal.tools/call:read_file'],
    ['mcp.request.tools/call:read_*', 'mcp.request.tools/call:read_file'],
    ['mcp.request.tools/call:read_*', 'mcp.request.tools/call:read_'],
    ['mcp.request.tools/call:*_file', 'mcp.request.tools/call:read_file'],
    ['mcp.request.tools/call:r*_f*e', 'mcp.request.tools/call:read_file'],
    ['mcp.request.tools/call:*', 'mcp.request.tools/call:anything at all'],
    ['mcp.request.resources/read:*', 'mcp.request.resources/read:file:///srv/a'],
    ['mcp.request.resources/read:file:*', 'mcp.request.resources/read:file:///srv/a'],
    ['mcp.request.resources/read:file:///srv/*', 'mcp.request.resources/read:file:///srv/deep/er/a.txt'],
    ['mcp.request.resources/read:file:///srv/../a', 'mcp.request.resources/read:file:///srv/../a'],
    ['mcpx.*.proposal', 'mcpx.withdraw.proposal'],
  ])('O-8: %s matches %s', (pattern, kind) => {
    expect(matches(pattern, kind)).toBe(true);
  });

  it.each([
    ['chat.message', 'chat.messages'],
    ['chat.message', 'Chat.Message'],
    ['mcp.*', 'mcp'],
    ['mcp.*', 'mcpx.reject.proposal'],
    ['mcp.request.*/list', 'mcp.request.tools/call'],
    ['mcp.request.*/list', 'mcp.request.resources/templates/list'],
    ['mcp.*.proposal', 'mcp.a.b.proposal'],
    ['mcp.request.tools/call:*_file', 'mcp.request.tools/call:a.b_file'],
    ['mcp.request.tools/call:*_file', 'mcp.request.tools/call:a/b_file'],
    ['mcp.request.tools/call:*_file', 'mcp.request.tools/call:a:b_file'],
    ['mcp.request.tools/call:*_file', 'mcp.request.tools/call:a\\b_file'],
    ['mcp.request.tools/call:read_file', 'mcp.request.tools/call:read_file2'],
    ['mcp.request.tools/call:read_file', 'mcp.request.tools/call:READ_FILE'],
    ['mcp.request.tools/call:read_*', 'mcp.request.tools/call:write_file'],
    ['mcp.request.tools/call:read_*', 'mcp.request.tools/call:write_file:read_file'],
    ['mcp.request.t*l', 'mcp.request.tools/call'],
  ])('O-8: %s does not match %s', (pattern, kind) => {
    expect(matches(pattern, kind)).toBe(false);
  });

  it('O-9: a pattern without a context grants the method for every context', () => {
    expect(matches('mcp.request.tools/call', 'mcp.request.tools/call')).toBe(true);
    expect(matches('mcp.request.tools/call', 'mcp.request.tools/call:read_file')).toBe(true);
    expect(matches('mcp.request.*/call', 'mcp.request.tools/call:read_file')).toBe(true);
    expect(matches('mcp.request.tools/call', 'mcp.request.tools/callers')).toBe(false);
    expect(matches('mcp.request.tools', 'mcp.request.tools/call')).toBe(false);
  });

  it.each(['mcp.request.tools/call:read_*', 'mcp.request.tools/call:*', 'mcp.request.tools/call:read_file'])(
    'O-9: %s does not match the method without a context',
    (pattern) => {
      expect(matches(pattern, 'mcp.request.tools/call')).toBe(false);
    },
  );

  it.each([
    'file:///srv/../etc/passwd',
    'file:///srv/..',
    'file:///srv/a/./b',
    'file:///srv/a\\..\\b',
    'file:///srv/%2e%2e/etc',
    'file:///srv/%2E./etc',
    'file:///srv/a%2fb',
    'file:///srv/a%5Cb',
    'file:///srv/%252e%252e/etc',
    'file:///srv//etc/passwd',
    'file:///srv/a\u0000',
  ])('O-8: a star in the context of a resource does not match %j', (uri) => {
    expect(matches('mcp.request.resources/read:file:///srv/*', `mcp.request.resources/read:${uri}`)).toBe(
      false,
    );
  });

  it('O-8: slash-form patterns are read as their dotted twins', () => {
    expect(matches('mcp/request:tools/*', 'mcp.request.tools/call:read_file')).toBe(true);
    expect(matches('mcp/request:tools/call:read_*', 'mcp.request.tools/call:read_file')).toBe(true);
    expect(matches('mcp/request:tools/call:read_*', 'mcp.request.tools/call')).toBe(false);
    expect(matches('mcp/proposal:tools/call', 'mcp.request.tools/call')).toBe(false);
    expect(matches('mcp/request:*', 'mcp.request.tools/list')).toBe(true);
    expect(matches('mcp/*', 'mcp.proposal.tools/call:x')).toBe(true);
    expect(matches('chat', 'chat.message')).toBe(true);
  });
});

describe('patterns that match no kind of a known protocol', () => {
  it.each([
    'mcp.propsal.*',
    'mcp.req.tools/call',
    'mcpx.aprove.proposal',
    'mcpx.reject.proposals',
    'mcpx.grant',
  ])('O-8: %s', (text) => {
    const parsed = parseKindPattern(text, 'capability');
    expect(parsed.ok && operationsInstead(parsed.value)).toContain(
      text.startsWith('mcpx') ? 'approve' : 'proposal',
    );
  });

  it.each([
    '*',
    'mcp.*',
    'mcp.p*',
    'mcp/proposal:*',
    'mcpx.*',
    'mcpx.*.proposal',
    'chat',
    'stream.data',
    'mcp.request.*/list',
  ])('O-8: %s is not one', (text) => {
    const parsed = parseKindPattern(text, 'capability');
    expect(parsed.ok && operationsInstead(parsed.value)).toBeUndefined();
  });
});
