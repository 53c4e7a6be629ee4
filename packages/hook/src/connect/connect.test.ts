import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENTS } from '../agents/index.js';
import { readSettings } from '../settings/index.js';
import { connect, disconnect, guardFor, Killed, NOW, planOf, steps, survey } from '../testing/connecting.js';
import { createHome, TEN_PROGRAMS, type TestHome } from '../testing/ten-programs.js';
import {
  ChangedMeanwhileError,
  createConnectedPaths,
  DISK,
  makeFileChange,
  PROGRAM_IDS,
  planDisconnect,
  readLedger,
} from './index.js';
import { formatOf } from './programs.js';

const stateOf = (home: TestHome): Readonly<Record<string, string>> =>
  Object.fromEntries(
    survey(home).map(({ program, name, coverage }) => [
      `${program}/${name}`,
      coverage.type === 'covered' ? coverage.by : coverage.type,
    ]),
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

const pick = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, TEN_PROGRAMS[name] ?? '']));

const withoutCommands = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, inner: unknown) =>
    ['command', 'args', 'path', 'hooks'].includes(key) ? undefined : inner,
  );

const CLAUDE = pick('.claude.json', '.claude/settings.json');

describe('a settings file that somebody changed after it was connected', () => {
  it.each(Object.keys(TEN_PROGRAMS))('%s: keeps the change, and loses only what was added', (name) => {
    using home = createHome({ [name]: TEN_PROGRAMS[name] ?? '' });
    connect(home);
    const comment = name.endsWith('.toml') ? '# mine\n' : '/* mine */\n';
    home.write(name, `${comment}${home.read(name)}`);
    disconnect(home);
    const [is, was] = [home.read(name), `${comment}${TEN_PROGRAMS[name]}`];
    // A text that was quoted in another way is the same text.
    expect(is.replaceAll(`"/opt/my server/run"`, `'/opt/my server/run'`)).toBe(was);
  });

  it('is disconnected although its program wrote it anew, with other keys and in another order', () => {
    using home = createHome(CLAUDE);
    connect(home);
    const { projects, ...rest } = JSON.parse(home.read('.claude.json')) as Record<string, unknown>;
    home.write('.claude.json', JSON.stringify({ projects, ...rest, numStartups: 42 }, undefined, 2));
    disconnect(home);
    const before = JSON.parse(TEN_PROGRAMS['.claude.json'] ?? '') as object;
    expect(JSON.parse(home.read('.claude.json'))).toEqual({ ...before, numStartups: 42 });
  });

  it('is connected again with what is new in it, and then put back with it', () => {
    using home = createHome(CLAUDE);
    connect(home);
    const added = '"new": { "command": "new-server" },\n    "github"';
    home.write('.claude.json', home.read('.claude.json').replace('"github"', added));
    expect(stateOf(home)).toMatchObject({ 'claude-code/new': 'open', 'claude-code/github': 'guard' });
    connect(home);
    expect(stateOf(home)).toMatchObject({ 'claude-code/new': 'guard', 'claude-code/github': 'guard' });
    disconnect(home);
    expect(home.read('.claude.json')).toBe(TEN_PROGRAMS['.claude.json']?.replace('"github"', added));
  });

  it('stays without a server and a hook that were taken out by hand', () => {
    using home = createHome(CLAUDE);
    connect(home);
    const settings = JSON.parse(home.read('.claude.json')) as { mcpServers: Record<string, unknown> };
    delete settings.mcpServers['github'];
    home.write('.claude.json', JSON.stringify(settings));
    home.write('.claude/settings.json', '{"model":"x"}');
    expect(stateOf(home)).toMatchObject({ 'claude-code/hook': 'open' });
    disconnect(home);
    expect(home.read('.claude/settings.json')).toBe('{"model":"x"}');
    expect(JSON.parse(home.read('.claude.json'))).toHaveProperty('mcpServers', {
      sentry: { type: 'http', url: 'https://mcp.sentry.dev/mcp' },
    });
  });

  it('is left alone while it cannot be read, and the others are put back', () => {
    using home = createHome(pick('.cursor/hooks.json', '.claude.json'));
    connect(home);
    home.write('.cursor/hooks.json', '{ "version": 1,');
    const planned = planDisconnect(readLedger(home.data), () => true);
    expect(planned.filter((one) => 'why' in one)).toMatchObject([
      {
        path: home.path('.cursor/hooks.json'),
        why: expect.stringContaining('line 1'),
        backup: expect.any(String),
      },
    ]);
    for (const change of planned)
      if (!('why' in change)) makeFileChange(change, readLedger(home.data), steps());
    expect(readLedger(home.data).files.map(({ path }) => path)).toEqual([home.path('.cursor/hooks.json')]);
    expect(home.read('.claude.json')).toBe(TEN_PROGRAMS['.claude.json']);
    home.write('.cursor/hooks.json', '{ "version": 1 }');
    disconnect(home);
    expect(home.read('.cursor/hooks.json')).toBe('{ "version": 1 }');
  });

  it('stays away if it was deleted, and what it was is kept', () => {
    using home = createHome(pick('.gemini/settings.json'));
    connect(home);
    rmSync(home.path('.gemini'), { recursive: true });
    disconnect(home);
    expect(existsSync(home.path('.gemini'))).toBe(false);
    expect(readdirSync(join(home.data, 'connect'))).toEqual([
      'connected.json',
      expect.stringMatching(/^settings\.json\./),
    ]);
  });

  it('is not overwritten if it changes at the last moment', () => {
    using home = createHome(pick('.config/zed/settings.json'));
    const [change] = planOf(home, ({ program }) => program === 'zed');
    home.write('.config/zed/settings.json', '{}');
    expect(() => change && makeFileChange(change, readLedger(home.data), steps())).toThrow(
      ChangedMeanwhileError,
    );
    expect(home.read('.config/zed/settings.json')).toBe('{}');
    expect(readLedger(home.data).files).toEqual([]);
  });
});

describe('a file that another program writes while it is changed', () => {
  it.each(['connect', 'disconnect'])('keeps what was written: %s', (action) => {
    using home = createHome(pick('.config/zed/settings.json'));
    if (action === 'disconnect') connect(home);
    const path = home.path('.config/zed/settings.json');
    const before = readLedger(home.data);
    const [change] =
      action === 'connect'
        ? planOf(home, ({ program }) => program === 'zed')
        : planDisconnect(before, () => true);
    if (change === undefined || 'why' in change) throw new Error('nothing is planned');
    // At the last moment: when the new content is ready, and only has to take its place.
    const disk: typeof DISK = {
      ...DISK,
      replace: (place, content, mode, check) =>
        DISK.replace(place, content, mode, () => {
          if (place === path) writeFileSync(path, '{ "theirs": 1 }');
          check?.();
        }),
    };
    expect(() => makeFileChange(change, before, disk)).toThrow(ChangedMeanwhileError);
    expect(home.read('.config/zed/settings.json')).toBe('{ "theirs": 1 }');
    expect(readdirSync(join(path, '..'))).toEqual(['settings.json']);
    expect(readLedger(home.data).files).toEqual(before.files);
  });
});

describe('what somebody set up by hand', () => {
  const files = {
    '.claude/settings.json': JSON.stringify(
      AGENTS['claude-code'].addEntries(
        {},
        [...AGENTS['claude-code'].events, ...AGENTS['claude-code'].reports].map((event) => ({
          event,
          command: `proffer-hook claude-code ${event}`,
          timeout: 60,
        })),
      ),
    ),
    '.gemini/settings.json': `{
  "mcpServers": {
    "mine": { "command": "npx", "args": ["-y", "@proffer/cli", "guard", "--", "npx", "x"] },
    "other": { "command": "npx", "args": ["y"] }
  }
}`,
  };

  it('counts as covered, and stays after disconnecting, even if the file changed', () => {
    using home = createHome(files);
    expect(stateOf(home)).toMatchObject({ 'claude-code/hook': 'hook', 'gemini-cli/mine': 'guard' });
    expect(survey(home)[0]?.coverage).toEqual({ type: 'covered', by: 'hook' });
    connect(home);
    home.write('.gemini/settings.json', home.read('.gemini/settings.json').replace('{', '{ /* mine */'));
    disconnect(home);
    expect(home.read('.claude/settings.json')).toBe(files['.claude/settings.json']);
    expect(home.read('.gemini/settings.json')).toBe(
      files['.gemini/settings.json'].replace('{', '{ /* mine */'),
    );
  });
});

describe('links', () => {
  it('are followed, and stay links', () => {
    using home = createHome(pick('.config/zed/settings.json'));
    home.write('dotfiles/README', '');
    renameSync(home.path('.config/zed/settings.json'), home.path('dotfiles/zed.json'));
    symlinkSync(home.path('dotfiles/zed.json'), home.path('.config/zed/settings.json'));
    connect(home);
    expect(lstatSync(home.path('.config/zed/settings.json')).isSymbolicLink()).toBe(true);
    expect(home.read('dotfiles/zed.json')).toContain('guard');
    disconnect(home);
    expect(home.read('dotfiles/zed.json')).toBe(TEN_PROGRAMS['.config/zed/settings.json']);
    expect(lstatSync(home.path('.config/zed/settings.json')).isSymbolicLink()).toBe(true);
  });

  it('that lead nowhere are left alone', () => {
    using home = createHome({ '.gemini/x': '' });
    symlinkSync('/nowhere/settings.json', home.path('.gemini/settings.json'));
    expect(survey(home).map(({ coverage }) => coverage)).toContainEqual({
      type: 'uncovered',
      why: 'it is a link that leads nowhere',
    });
    expect(planOf(home)).toEqual([]);
  });
});

describe('a process that is killed', () => {
  const chosen = pick('.codex/config.toml', '.copilot/mcp-config.json');
  /** Whether it was killed. */
  const isKilled = (act: () => void): boolean => {
    try {
      act();
      return false;
    } catch (error) {
      if (error instanceof Killed) return true;
      throw error;
    }
  };

  it('while it connects, leaves what disconnecting undoes, at every step', () => {
    for (let step = 0, going = true; going; step++) {
      using home = createHome(chosen);
      const before = home.snapshot();
      going = isKilled(() => connect(home, undefined, steps(step)));
      disconnect(home);
      expect([step, home.snapshot()]).toEqual([step, before]);
    }
  });

  it('while it connects, leaves what connecting again completes, at every step', () => {
    using whole = createHome(chosen);
    connect(whole);
    for (let step = 0, going = true; going; step++) {
      using home = createHome(chosen);
      const before = home.snapshot();
      going = isKilled(() => connect(home, undefined, steps(step)));
      connect(home);
      expect([step, home.snapshot()]).toEqual([step, whole.snapshot()]);
      disconnect(home);
      expect([step, home.snapshot()]).toEqual([step, before]);
    }
  });

  it('while it disconnects, leaves what disconnecting again completes, at every step', () => {
    for (let step = 0, going = true; going; step++) {
      using home = createHome(chosen);
      const before = home.snapshot();
      connect(home);
      going = isKilled(() => disconnect(home, steps(step)));
      disconnect(home);
      expect([step, home.snapshot()]).toEqual([step, before]);
    }
  });

  it('tells since when each item is covered', () => {
    using home = createHome(chosen);
    connect(home);
    const since = survey(home).flatMap(({ coverage }) =>
      coverage.type === 'covered' ? [coverage.since] : [],
    );
    expect(new Set(since)).toEqual(new Set([NOW]));
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
