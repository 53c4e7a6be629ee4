import { authorize, compileCapabilities } from '@proffer/core/capability';
import { describe, expect, it } from 'vitest';
import { devRole } from './dev-participants.js';
import { devConfig } from './load-config.js';
import { configured, problemOf } from './testing/configured.js';

describe('dev mode', () => {
  it('listens on loopback, has one space, and requires no token', () => {
    const config = devConfig();
    expect(config.dev).toBe(true);
    expect(config.listen).toMatchObject({
      http: { host: '127.0.0.1', port: 7420 },
      grpc: { host: '127.0.0.1', port: 50_051 },
    });
    expect([...config.spaces.keys()]).toEqual(['main']);
    expect(config.journal.backend).toBe('local');
    expect(config.tokens).toEqual([]);
  });

  it.each([
    ['agent', 'mcp.proposal.tools/call', true],
    ['agent', 'mcpx.withdraw.proposal', true],
    ['agent', 'mcpx.status.proposal', true],
    ['agent', 'mcp.response.tools/call', true],
    ['agent', 'mcpx.announce.tools', true],
    ['agent', 'chat.message', true],
    ['agent', 'mcp.request.tools/call', false],
    ['agent', 'mcpx.reject.proposal', false],
    ['reviewer', 'mcp.request.tools/call', true],
    ['reviewer', 'mcpx.reject.proposal', true],
    ['reviewer', 'system.notice', false],
    ['steward', 'mcp.request.tools/call', true],
    ['steward', 'mcpx.status.proposal', true],
    ['steward', 'mcpx.reject.proposal', true],
    ['steward', 'mcp.proposal.tools/call', false],
    ['steward', 'mcpx.announce.tools', false],
    ['tools', 'mcp.response.tools/call', true],
    ['tools', 'mcpx.announce.resources', true],
    ['tools', 'mcpx.reject.proposal', true],
    ['tools', 'mcp.request.tools/call', false],
    ['tools', 'mcp.proposal.tools/call', false],
    ['filesystem-agent', 'mcpx.reject.proposal', true],
    ['filesystem-agent', 'mcpx.status.proposal', true],
    ['filesystem-agent', 'mcp.request.tools/call', false],
    ['filesystem-agent', 'mcpx.approve.proposal', false],
    ['human', 'mcp.request.tools/call', true],
  ])('O-10: %s may send %s: %s', (name, kind, allowed) => {
    const capabilities = devRole(name, devConfig().participants).participant?.spaces.get('main') ?? [];
    const refusal = authorize(compileCapabilities(capabilities), { from: name, kind, payload: {} });
    expect(refusal === undefined).toBe(allowed);
  });

  it.each([
    ['listen: { http: "0.0.0.0:7420" }', 'listen.http', '127.0.0.1:7420'],
    ['listen: { grpc: "[::]:50051" }', 'listen.grpc', '127.0.0.1:50051'],
    ['listen: { http: "myhost:7420", allow_insecure: true }', 'listen.http', '127.0.0.1:7420'],
  ])('I-4: does not listen where others can reach it: %s', (text, path, suggestion) => {
    const problem = problemOf(`dev: true\n${text}`);
    expect(problem).toMatchObject({ line: 2, path, suggestion });
    expect(problem.message).toContain('dev mode');
  });

  it('must be requested', () => {
    expect(problemOf('dev: false').message).toContain('Nobody would be able to connect');
    expect(configured('', { env: { PROFFER_DEV: 'true' } }).dev).toBe(true);
  });

  it('has its participants in every space, unless the file says otherwise', () => {
    const { participants } = configured(
      'dev: true\nspaces: { a: , b: }\nparticipants: { agent: { spaces: { a: [chat.message] } } }',
    );
    expect([...(participants.get('reviewer')?.spaces.keys() ?? [])]).toEqual(['a', 'b']);
    expect([...(participants.get('agent')?.spaces.keys() ?? [])]).toEqual(['a']);
  });
});
