import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect, disconnect, planOf, stateOf, steps } from '../testing/connecting.js';
import { createHome, pick, TEN_PROGRAMS } from '../testing/ten-programs.js';
import { ChangedMeanwhileError, DISK, makeFileChange, planDisconnect, readLedger } from './index.js';

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
