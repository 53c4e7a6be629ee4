import { describe, expect, it } from 'vitest';
import { GATEWAY } from './envelope.js';
import { accepted, message, refused } from './testing/reading.js';

const kindOf = (kind: unknown) => message(kind as string, {});

describe('a kind', () => {
  it.each([
    'system.welcome',
    'system.anything.at/all:x',
    'system',
    'system/welcome',
    'system/a/b',
    'system:x',
    'System.welcome',
    'SYSTEM/ERROR',
    'sYsTeM',
    'system.',
  ])('O-6: %s is reserved, however it is spelled', (kind) => {
    expect(refused(kindOf(kind))).toMatchObject({ code: 'reserved_kind', field: 'kind' });
    expect(refused({ ...kindOf(kind), protocol: 'mew/v0.4' }).code).toBe('reserved_kind');
  });

  it.each([
    'stream.ownership-transferred',
    'stream/write-granted',
    'stream.write-revoked',
    'Stream/Write-Granted',
    'stream.write-granted.now',
    'stream.write-granted.a:b',
  ])('O-6: %s is reserved: only the gateway says who has a stream', (kind) => {
    expect(refused(kindOf(kind))).toMatchObject({ code: 'reserved_kind', field: 'kind' });
    expect(refused({ ...kindOf(kind), protocol: 'mew/v0.4' }).code).toBe('reserved_kind');
    const said = message('stream.write-granted', {}, { from: GATEWAY });
    expect(accepted(said, { from: GATEWAY })).toStrictEqual(said);
  });

  it('O-6: system.* is allowed for the gateway itself', () => {
    const welcome = message('system.welcome', { seq: 4 }, { from: GATEWAY });
    expect(accepted(welcome, { from: GATEWAY })).toStrictEqual(welcome);
  });

  it.each([
    'reasoning.start',
    'chat.acknowledge',
    'participant.request-status',
    'systems.check',
    'stream.write-granted-by',
    'a.b.c/d:e:f',
  ])('O-1: %s, of another protocol, is carried with any payload', (kind) => {
    expect(accepted(message(kind, { any: [null] })).kind).toBe(kind);
  });

  it.each([
    '',
    'proposed',
    'mcp',
    '.request.tools/call',
    'mcp..tools/call',
    'mcp.request.',
    'mcp.request.tools//call',
    'mcp.request.tools/call:',
    'mcp.request:x',
    'mcp request.tools/call',
    ' mcp.request.tools/call',
    'mcp.request.tools/call\n',
    'ſystem.welcome',
    'mcp/request/tools/call',
    'mcp/request.tools/call',
    `a.${'b'.repeat(65)}`,
  ])('O-5: %s is malformed', (kind) => {
    expect(refused(kindOf(kind))).toMatchObject({ code: 'invalid_field', field: 'kind' });
  });

  it.each([
    'mcp.fulfil.x',
    'mcp.notify.tools/call',
    'mcpx.foo.bar',
    'mcpx.withdraw',
    'mcpx.withdraw.proposal:x',
    'mcpx.withdraw.request',
    'mcpx.announce.everything',
    'MCP.request.tools/call',
    'mcp.Request.tools/call',
    'proposal.withdraw',
  ])('O-5: %s does not exist, and the existing ones are listed', (kind) => {
    expect(refused(kindOf(kind))).toMatchObject({
      code: 'invalid_field',
      field: 'kind',
      found: JSON.stringify(kind),
      expected: expect.stringMatching(/^one of mcpx?\.\w+\.\w+, mcpx?\./) as string,
    });
  });

  it.each([
    ['mcp.fulfil.tools/call', 'sending the request itself'],
    ['mcp.fulfill.tools/call', 'sending the request itself'],
    ['mcp/fulfill:tools/call', 'sending the request itself'],
    ['mcp.withdraw.proposal', 'mcpx.withdraw.proposal'],
    ['mcp.reject.proposal', 'mcpx.reject.proposal'],
    ['proposal.status', 'mcpx.status.proposal'],
    ['mcp', 'a request, a response or a proposal'],
  ])('O-11: %s is refused with what to do instead', (kind, says) => {
    expect(refused(kindOf(kind)).message).toContain(says);
  });

  it('O-5: ten million characters are not a kind', () => {
    expect(refused(kindOf(`a.b.${'c'.repeat(10_000_000)}`)).field).toBe('kind');
    expect(refused(kindOf(`a/b:${'c/'.repeat(5_000_000)}`)).field).toBe('kind');
  });

  it('O-5: the kind is quoted as sent', () => {
    expect(refused(kindOf('mcp/fulfill:tools/call')).found).toBe('"mcp/fulfill:tools/call"');
  });
});
