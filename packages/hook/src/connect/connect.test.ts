import { chmodSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../settings/index.js';
import { connect, disconnect, guardFor, planOf, stateOf, survey } from '../testing/connecting.js';
import { createHome, pick, TEN_PROGRAMS } from '../testing/ten-programs.js';
import { createConnectedPaths, DISK, makeFileChange, PROGRAM_IDS, readLedger } from './index.js';
import { formatOf } from './programs.js';

const withoutCommands = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, inner: unknown) =>
    ['command', 'args', 'path', 'hooks'].includes(key) ? undefined : inner,
  );

describe('the settings of all ten programs', () => {
  it('are found, with the MCP servers in them and what cannot be covered', () => {
    using home = createHome(TEN_PROGRAMS);
    expect(new Set(survey(home).map(({ program }) => program))).toEqual(new Set(PROGRAM_IDS));
    expect(stateOf(home)).toMatchInlineSnapshot(`
      {
        "claude-code/database": "open",
        "claude-code/github": "open",
        "claude-code/hook": "open",
        "claude-code/sentry": "uncovered",
        "claude-desktop/filesystem": "open",
        "claude-desktop/time": "open",
        "claude-desktop/tools": "uncovered",
        "codex/docs": "open",
        "codex/figma": "uncovered",
        "codex/hook": "open",
        "codex/my server": "open",
        "copilot-cli/hook": "open",
        "copilot-cli/playwright": "open",
        "cursor/hook": "open",
        "cursor/linear": "uncovered",
        "gemini-cli/git": "open",
        "gemini-cli/hook": "open",
        "gemini-cli/remote": "uncovered",
        "opencode/everything": "open",
        "opencode/jira": "uncovered",
        "opencode/tools": "uncovered",
        "vscode/fetch": "open",
        "vscode/github": "uncovered",
        "vscode/perplexity": "open",
        "vscode/tools": "uncovered",
        "windsurf/figma": "uncovered",
        "windsurf/slack": "open",
        "windsurf/tools": "uncovered",
        "zed/local": "open",
        "zed/mcp-server-github": "uncovered",
        "zed/postgres": "open",
        "zed/tools": "uncovered",
      }
    `);
  });

  it('are covered after connecting, and a second time changes nothing', () => {
    using home = createHome(TEN_PROGRAMS);
    connect(home);
    expect(stateOf(home)).toMatchInlineSnapshot(`
      {
        "claude-code/database": "guard",
        "claude-code/github": "guard",
        "claude-code/hook": "hook",
        "claude-code/sentry": "hook",
        "claude-desktop/filesystem": "guard",
        "claude-desktop/time": "guard",
        "claude-desktop/tools": "uncovered",
        "codex/docs": "guard",
        "codex/figma": "hook",
        "codex/hook": "hook",
        "codex/my server": "guard",
        "copilot-cli/hook": "hook",
        "copilot-cli/playwright": "guard",
        "cursor/hook": "hook",
        "cursor/linear": "hook",
        "gemini-cli/git": "guard",
        "gemini-cli/hook": "hook",
        "gemini-cli/remote": "hook",
        "opencode/everything": "guard",
        "opencode/jira": "uncovered",
        "opencode/tools": "uncovered",
        "vscode/fetch": "guard",
        "vscode/github": "uncovered",
        "vscode/perplexity": "guard",
        "vscode/tools": "uncovered",
        "windsurf/figma": "uncovered",
        "windsurf/slack": "guard",
        "windsurf/tools": "uncovered",
        "zed/local": "guard",
        "zed/mcp-server-github": "uncovered",
        "zed/postgres": "guard",
        "zed/tools": "uncovered",
      }
    `);
    const once = home.snapshot();
    expect(planOf(home)).toEqual([]);
    expect(home.snapshot()).toEqual(once);
  });

  it('are the same again after disconnecting, byte for byte, and nothing is left', () => {
    using home = createHome(TEN_PROGRAMS);
    const before = home.snapshot();
    connect(home);
    expect(home.snapshot()).not.toEqual(before);
    disconnect(home);
    expect(home.snapshot()).toEqual(before);
    expect(readdirSync(join(home.data, 'connect'))).toEqual(['connected.json']);
  });

  it('keep the environment, the folder and everything else of a server that gets a guard', () => {
    using home = createHome(TEN_PROGRAMS);
    connect(home);
    for (const [name, text] of Object.entries(TEN_PROGRAMS)) {
      const [before, after] = [text, home.read(name)].map((one) => readSettings(one, formatOf(name)));
      expect(withoutCommands(after)).toEqual(withoutCommands(before));
    }
    expect(readSettings(home.read('.codex/config.toml'), 'toml')).toMatchObject({
      mcp_servers: {
        docs: { command: '/usr/bin/node', args: [...guardFor('docs').slice(1), 'npx', '-y', 'docs-mcp'] },
        'my server': { args: [...guardFor('my server').slice(1), '/opt/my server/run'] },
      },
    });
  });

  it('keep their modes; backups are for their owner only', () => {
    using home = createHome(pick('.claude.json', '.claude/settings.json'));
    chmodSync(home.path('.claude.json'), 0o644);
    for (const change of planOf(home, ({ program }) => program === 'claude-code'))
      makeFileChange(change, readLedger(home.data), DISK);
    expect(statSync(home.path('.claude.json')).mode & 0o777).toBe(0o644);
    const folder = join(home.data, 'connect');
    expect(readdirSync(folder)).toHaveLength(3);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('are found on macOS and on Windows, where their programs keep them', () => {
    const desktop = '{"mcpServers":{"a":{"command":"a"}}}';
    using mac = createHome(
      {
        'Library/Application Support/Claude/claude_desktop_config.json': desktop,
        'Library/Application Support/Code/User/mcp.json': '{"servers":{"b":{"command":"b"}}}',
        '.config/zed/settings.json': '{"context_servers":{"c":{"command":"c"}}}',
      },
      'darwin',
    );
    expect(Object.keys(stateOf(mac))).toEqual([
      'claude-desktop/tools',
      'claude-desktop/a',
      'vscode/tools',
      'vscode/b',
      'zed/tools',
      'zed/c',
    ]);
    using windows = createHome(
      {
        'AppData/Roaming/Claude/claude_desktop_config.json': desktop,
        'AppData/Roaming/Zed/settings.json': '{"context_servers":{"c":{"command":"c"}}}',
      },
      'win32',
    );
    expect(Object.keys(stateOf(windows))).toEqual([
      'claude-desktop/tools',
      'claude-desktop/a',
      'zed/tools',
      'zed/c',
    ]);
  });
});

it('names the files that are connected now, for those who protect them', () => {
  using home = createHome(pick('.config/zed/settings.json'));
  const connected = createConnectedPaths(home.data);
  expect(connected()).toEqual([]);
  connect(home);
  expect(connected()).toEqual([home.path('.config/zed/settings.json')]);
  disconnect(home);
  expect(connected()).toEqual([]);
});

it('a settings file that is a link to a device is named, and left alone', () => {
  using home = createHome({ '.gemini/x': '' });
  symlinkSync('/dev/null', join(home.machine.home, '.gemini/settings.json'));
  expect(survey(home).map(({ coverage }) => coverage)).toContainEqual({
    type: 'uncovered',
    why: 'it is not a regular file',
  });
  expect(planOf(home)).toEqual([]);
});
