import { describe, expect, it } from 'vitest';
import { completeKind, contextParam, formatKind, isMethod, parseKind, subjectOf } from './kind.js';

describe('a kind', () => {
  it.each([
    ['mcp.request.tools/call', { protocol: 'mcp', operation: 'request', method: 'tools/call' }],
    [
      'mcp.request.tools/call:a.b:c/d',
      { protocol: 'mcp', operation: 'request', method: 'tools/call', context: 'a.b:c/d' },
    ],
    ['mcpx.withdraw.proposal', { protocol: 'mcpx', operation: 'withdraw', method: 'proposal' }],
    ['chat.message', { protocol: 'chat', operation: 'message' }],
    ['a.b.c.d/e', { protocol: 'a', operation: 'b', method: 'c.d/e' }],
    ['mcp.request.$/progress', { protocol: 'mcp', operation: 'request', method: '$/progress' }],
  ])('O-6: %s is parsed and formatted back', (kind, parts) => {
    expect(parseKind(kind)).toStrictEqual(parts);
    expect(formatKind(parts)).toBe(kind);
  });

  it('O-6: has at most 1024 characters, its method at most 256', () => {
    expect(parseKind(`a.b.c:${'x'.repeat(1018)}`)).toBeDefined();
    expect(parseKind(`a.b.c:${'x'.repeat(1019)}`)).toBeUndefined();
    expect(isMethod('x'.repeat(256))).toBe(true);
    expect(isMethod('x'.repeat(257))).toBe(false);
  });

  it.each(['constructor', '__proto__', 'toString', 'tools/list'])(
    'O-6: the method %s is not about a single thing',
    (method) => {
      expect(contextParam(method)).toBeUndefined();
      expect(subjectOf(method, { name: 'a', uri: 'b' })).toBeUndefined();
    },
  );

  it('O-9: is completed from the payload', () => {
    const payload = { method: 'tools/call', params: { name: 'read_file' } };
    expect(completeKind('mcp.request.tools/call', payload)).toBe('mcp.request.tools/call:read_file');
    expect(completeKind('mcp.request.tools/call:other', payload)).toBe('mcp.request.tools/call:other');
    expect(completeKind('mcp.request.tools/list', payload)).toBe('mcp.request.tools/list');
    expect(completeKind('chat.message', payload)).toBe('chat.message');
  });
});
