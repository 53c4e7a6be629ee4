import { describe, expect, it } from 'vitest';
import { AGENTS, type AgentId } from './index.js';
import { findMcpTool } from './mcp-tool.js';

const find = (agent: AgentId, tool: string, ...servers: readonly string[]) =>
  findMcpTool(tool, AGENTS[agent].mcpNames, servers);

describe('the name of an MCP tool', () => {
  it.each<[AgentId, string, readonly string[], { server: string; tool: string }]>([
    ['claude-code', 'mcp__github__get', ['github'], { server: 'github', tool: 'get' }],
    [
      'claude-code',
      'mcp__github__evil__get',
      ['github', 'github__evil'],
      { server: 'github__evil', tool: 'get' },
    ],
    ['claude-code', 'mcp__my_server__get', ['my server'], { server: 'my_server', tool: 'get' }],
    ['claude-code', 'mcp__a-b__get_all', ['a-b'], { server: 'a-b', tool: 'get_all' }],
    ['codex', 'mcp__a_b__get', ['a-b'], { server: 'a_b', tool: 'get' }],
    ['codex', 'mcp__github__get', ['github_'], { server: 'github', tool: 'get' }],
    ['copilot-cli', 'github-mcp-server-get_file', [], { server: 'github-mcp-server', tool: 'get_file' }],
    ['copilot-cli', 'docs-find-by-id', ['docs'], { server: 'docs', tool: 'find-by-id' }],
    ['copilot-cli', 'docs-evil-find', ['docs', 'docs-evil'], { server: 'docs-evil', tool: 'find' }],
  ])('of %s, %s, is taken apart by the longest of %j', (agent, tool, servers, expected) => {
    expect(find(agent, tool, ...servers)).toEqual({ mcp: expected });
  });

  it.each<[AgentId, string, readonly string[]]>([
    ['claude-code', 'mcp__github__get', []],
    ['claude-code', 'mcp__github__evil__get', ['github']],
    ['claude-code', 'mcp__github__evil__get', ['evil']],
    ['claude-code', 'mcp__my_server__get', ['my server', 'my_server']],
    ['claude-code', 'mcp__github', ['github']],
    ['claude-code', 'mcp__github__', ['github']],
    ['codex', 'mcp__github__get', ['github', 'github_']],
    ['gemini-cli', 'mcp_github_get', []],
    ['copilot-cli', 'docs-get', []],
    ['cursor', 'MCP:get', ['get']],
  ])('of %s, %s, is not guessed with %j', (agent, tool, servers) => {
    expect(find(agent, tool, ...servers)).toEqual({ mayBe: expect.any(Array) });
  });

  it('may mean every server that it could be', () => {
    expect(find('claude-code', 'mcp__a__b___c')).toEqual({
      mayBe: [
        { server: 'a', tool: 'b___c' },
        { server: 'a__b', tool: '_c' },
        { server: 'a__b_', tool: 'c' },
      ],
    });
    expect(find('cursor', 'MCP:get')).toEqual({ mayBe: [{ tool: 'get' }] });
  });

  it('is not that of a tool of the agent', () => {
    for (const agent of ['claude-code', 'codex', 'copilot-cli', 'gemini-cli', 'cursor'] as const)
      expect(find(agent, agent === 'copilot-cli' ? 'apply_patch' : 'Read', 'Re', 'apply')).toEqual({});
  });

  it('of Gemini CLI is in its event', () => {
    const event = {
      ...AGENTS['gemini-cli'].sample('/home/ada', 'ls'),
      tool_name: 'mcp_github_evil_get',
      mcp_context: { server_name: 'github_evil', tool_name: 'get' },
    };
    expect(AGENTS['gemini-cli'].readEvent(event, 'BeforeTool')).toMatchObject({
      mcp: { server: 'github_evil', tool: 'get' },
      effect: { type: 'other' },
    });
  });
});
