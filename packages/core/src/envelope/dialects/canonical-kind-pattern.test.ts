import { describe, expect, it } from 'vitest';
import { canonicalKindPattern } from './legacy.js';

describe('a capability pattern', () => {
  it.each([
    ['*', '*'],
    ['mcp/*', 'mcp.*'],
    ['mcp/request:*', 'mcp.request.*'],
    ['mcp/request:tools/*', 'mcp.request.tools/*'],
    ['mcp/request:tools/call:read_*', 'mcp.request.tools/call:read_*'],
    ['mcp/request:*/list', 'mcp.request.*/list'],
    ['mcp/request:tools/call', 'mcp.request.tools/call'],
    ['mcp/re*:tools/call', 'mcp.re*.tools/call'],
    ['*/request:tools/call', '*.request.tools/call'],
    ['mcp/proposal', 'mcp.proposal.*'],
    ['mcp/request', 'mcp.request.*'],
    ['mcp/response', 'mcp.response*'],
    ['mcp/withdraw', 'mcpx.withdraw.proposal'],
    ['mcp/reject', 'mcpx.reject.proposal'],
    ['mcpx/withdraw:proposal', 'mcpx.withdraw.proposal'],
    ['mcpx/*', 'mcpx.*'],
    ['proposal', 'mcp.proposal.*'],
    ['proposal/withdraw', 'mcpx.withdraw.proposal'],
    ['proposal/reject', 'mcpx.reject.proposal'],
    ['proposal-reject', 'mcpx.reject.proposal'],
    ['proposal/status', 'mcpx.status.proposal'],
    ['proposal/*', 'mcpx.*.proposal'],
    ['chat', 'chat.message'],
    ['chat/*', 'chat.*'],
    ['reasoning/*', 'reasoning.*'],
    ['system/*', 'system.*'],
  ])('O-8: %s is read as %s', (pattern, dotted) => {
    expect(canonicalKindPattern(pattern)).toBe(dotted);
  });

  it.each([
    'mcp.*',
    'mcp.request.tools/call:read_*',
    'mcp.request.tools/*',
    'mcp.request.*/list',
    'mcp.request.resources/read:file:///tmp/*',
    'chat.message',
    'anything',
    '',
  ])('O-8: %s, already dotted, stays unchanged', (pattern) => {
    expect(canonicalKindPattern(pattern)).toBe(pattern);
  });
});
