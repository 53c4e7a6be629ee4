import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AGENTS, type AgentId, type HookCall } from '../agents/index.js';
import { firstEvent } from '../testing/agents.js';
import { createWithServer, type WithServer } from './with-server.js';

let home: string;
let withServer: WithServer;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'proffer-servers-'));
  withServer = createWithServer({ home, env: {} });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const write = (path: string, content: unknown): void => {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), typeof content === 'string' ? content : JSON.stringify(content));
};
const serverOf = (agent: AgentId, tool: string, folder = 'app'): string | undefined => {
  const sample = AGENTS[agent].sample(join(home, folder), 'ls');
  const event = { ...sample, [agent === 'copilot-cli' ? 'toolName' : 'tool_name']: tool };
  const call = AGENTS[agent].readEvent(event, firstEvent(agent)) as HookCall;
  const found = withServer(call);
  expect('mcp' in found).not.toBe('mayBe' in found);
  return found.mcp?.server;
};
const servers = (...names: readonly string[]) => ({
  mcpServers: Object.fromEntries(names.map((name) => [name, { command: 'x' }])),
});

describe('the server of a tool', () => {
  it('is known to Claude Code for the user, for a folder, and in a project', () => {
    expect(serverOf('claude-code', 'mcp__github__get')).toBeUndefined();
    const projects = { [join(home, 'app')]: servers('local'), [join(home, 'other')]: servers('elsewhere') };
    write('.claude.json', { ...servers('github'), projects });
    write('app/.mcp.json', servers('github__evil'));
    expect(serverOf('claude-code', 'mcp__github__get')).toBe('github');
    expect(serverOf('claude-code', 'mcp__local__get', 'app/src')).toBe('local');
    expect(serverOf('claude-code', 'mcp__elsewhere__get')).toBeUndefined();
    expect(serverOf('claude-code', 'mcp__github__evil__get', 'app/src')).toBe('github__evil');
    expect(serverOf('claude-code', 'mcp__github__evil__get', 'other')).toBeUndefined();
  });

  it('is known to Codex CLI in its configuration', () => {
    write(
      '.codex/config.toml',
      '[mcp_servers.github]\ncommand = "x"\n[mcp_servers.github.env]\n# mcp_servers\n',
    );
    write('app/.codex/config.toml', '[ mcp_servers . "my server" ]\nurl = "x"\n');
    expect(serverOf('codex', 'mcp__github__get')).toBe('github');
    expect(serverOf('codex', 'mcp__my_server__get')).toBe('my_server');
    expect(serverOf('codex', 'mcp__other__get')).toBeUndefined();
  });

  it('is known to Copilot CLI in its own file and in the project', () => {
    write('.copilot/mcp-config.json', servers('docs'));
    write('app/.mcp.json', servers('docs-evil'));
    expect(serverOf('copilot-cli', 'docs-get-it')).toBe('docs');
    expect(serverOf('copilot-cli', 'docs-evil-get')).toBe('docs-evil');
    expect(serverOf('copilot-cli', 'github-mcp-server-get')).toBe('github-mcp-server');
  });

  it('is not known if a file cannot be understood', () => {
    write('.claude.json', servers('github'));
    write('app/.mcp.json', '{ "mcpServers": ');
    expect(serverOf('claude-code', 'mcp__github__get')).toBeUndefined();
    write('.codex/config.toml', '[mcp_servers.github]\n');
    write('app/.codex/config.toml', 'mcp_servers = { github__evil = { command = "x" } }');
    expect(serverOf('codex', 'mcp__github__get')).toBeUndefined();
  });

  it('is looked up again when a file has changed', () => {
    write('.claude.json', servers('github'));
    expect(serverOf('claude-code', 'mcp__notes__get')).toBeUndefined();
    write('.claude.json', servers('github', 'notes'));
    expect(serverOf('claude-code', 'mcp__notes__get')).toBe('notes');
  });
});
