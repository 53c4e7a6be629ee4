import { lstatSync, renameSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AGENTS } from '../agents/index.js';
import { connect, disconnect, planOf, stateOf, survey } from '../testing/connecting.js';
import { createHome, pick, TEN_PROGRAMS } from '../testing/ten-programs.js';

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
      why: 'it is a broken link',
    });
    expect(planOf(home)).toEqual([]);
  });
});
