import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT_IDS, AGENTS } from '../agents/index.js';
import { isReport } from '../launch/index.js';
import {
  backupOf,
  dropBackup,
  type HookCommandOptions,
  hookEntries,
  makeChange,
  missingReports,
  planChange,
  UneditableSettingsError,
} from './index.js';
import { lineDiff } from './settings-change.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'proffer-install-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const OPTIONS: HookCommandOptions = {
  launcher: ['/usr/bin/node', '/opt/some where/proffer-hook.js'],
  wait: 600,
  otherwise: 'ask',
  onlyPrompts: false,
};
const COMMAND = '/usr/bin/node "/opt/some where/proffer-hook.js"';

describe('the settings of every agent', () => {
  it.each(AGENT_IDS)('%s: gain the hook beside what is there, and lose it again', (id) => {
    const agent = AGENTS[id];
    const event = agent.events[0] ?? '';
    const others = { command: 'other', hooks: [{ type: 'command', command: 'other' }] };
    const before = { version: 1, model: 'x', hooks: { [event]: [others], Stop: [others] } };
    const entries = hookEntries(agent, OPTIONS);
    const added = agent.addEntries(before, entries);
    expect(added).toMatchObject({ model: 'x', hooks: { Stop: [others] } });
    expect(JSON.stringify(added)).toContain(JSON.stringify(COMMAND).slice(1, -1));
    for (const name of [...agent.events, ...agent.reports])
      expect(JSON.stringify(added)).toContain(`${id} ${name} --wait 600`);
    // Installing again replaces it.
    expect(agent.addEntries(added, entries)).toEqual(added);
    expect(agent.removeEntries(added)).toEqual(before);
    expect(agent.removeEntries(before)).toEqual(before);
    expect(agent.removeEntries(agent.addEntries({}, entries))).not.toHaveProperty('hooks');
  });

  it.each(AGENT_IDS)('O-46: %s: name the reports that a hook of an earlier version lacks', (id) => {
    const agent = AGENTS[id];
    const entries = hookEntries(agent, OPTIONS);
    const earlier = entries.filter(({ event }) => !isReport(event));
    expect(missingReports(agent, agent.addEntries({}, earlier))).toEqual(agent.reports);
    expect(missingReports(agent, agent.addEntries({}, entries))).toEqual([]);
    expect(missingReports(agent, {})).toEqual([]);
    expect(agent.reports.every(isReport)).toBe(true);
    expect(agent.events.some(isReport)).toBe(false);
  });

  it('O-46: never block an agent that reports', () => {
    const settings = AGENTS.cursor.addEntries({}, hookEntries(AGENTS.cursor, OPTIONS));
    expect(settings).toMatchObject({
      hooks: { preToolUse: [{ failClosed: true }], postToolUse: [{ failClosed: false, timeout: 30 }] },
    });
  });

  it("make the agent wait longer than the person's time limit", () => {
    const text = (id: keyof typeof AGENTS) =>
      JSON.stringify(AGENTS[id].addEntries({}, hookEntries(AGENTS[id], OPTIONS)));
    expect(text('claude-code')).toContain('"timeout":615');
    expect(text('codex')).toContain('"timeout":615');
    expect(text('gemini-cli')).toContain('"timeout":615000');
    expect(text('cursor')).toContain('"timeout":615,"failClosed":true');
    expect(text('copilot-cli')).toContain('"timeoutSec":615');
  });

  it('contain a token only for HTTP, and start the hook with the session', () => {
    const agent = AGENTS['claude-code'];
    const plain = agent.addEntries({}, hookEntries(agent, OPTIONS));
    expect(JSON.stringify(plain)).not.toMatch(/token|bearer/i);
    const http = { port: 7422, token: 'prfh_x' };
    const settings = agent.addEntries({}, hookEntries(agent, { ...OPTIONS, http }));
    expect(settings).toMatchObject({
      hooks: {
        SessionStart: [{ hooks: [{ type: 'command', command: expect.stringContaining('SessionStart') }] }],
        PreToolUse: [
          {
            hooks: [
              {
                type: 'http',
                url: 'http://127.0.0.1:7422/proffer/hooks/claude-code/PreToolUse?wait=600&otherwise=ask',
                headers: { Authorization: 'Bearer prfh_x' },
                timeout: 615,
              },
            ],
          },
        ],
      },
    });
    expect(agent.removeEntries(settings)).toEqual({});
  });

  it('can be limited to what the agent itself would ask', () => {
    const events = hookEntries(AGENTS['claude-code'], { ...OPTIONS, onlyPrompts: true }).map(
      ({ event }) => event,
    );
    expect(events).toEqual(['PermissionRequest', 'PostToolUse', 'PostToolUseFailure']);
  });
});

describe('a change to a settings file', () => {
  const edit = (settings: object) => ({ ...settings, hooks: { a: ['proffer-hook'] } });

  it('is shown, backs up the file, and is undone without a trace', () => {
    const path = join(folder, 'a.json');
    const before = '{\n\t"model": "x",\n\t"list": [\n\t\t1\n\t]\n}';
    writeFileSync(path, before, { mode: 0o640 });
    const change = planChange(path, edit);
    expect(change.diff.filter((line) => line.startsWith('+')).join('')).toContain('proffer-hook');
    makeChange(change, { keep: true });
    expect(readFileSync(path, 'utf8')).toMatch(/^\{\n\t"model": "x",\n\t"list"[^]*\n\}$/);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readFileSync(backupOf(path), 'utf8')).toBe(before);
    const undo = planChange(path, ({ hooks: _hooks, ...rest }) => rest);
    expect(undo.diff.filter((line) => line.startsWith('-')).join('')).toContain('proffer-hook');
    makeChange(undo);
    dropBackup(path);
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(existsSync(backupOf(path))).toBe(false);
  });

  it('creates a missing file, for its owner only, and removes it again', () => {
    const path = join(folder, 'deep', 'b.json');
    makeChange(planChange(path, edit));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const undo = planChange(path, () => ({ version: 1 }));
    makeChange(undo);
    dropBackup(path);
    expect(existsSync(path)).toBe(false);
  });

  it('is empty if nothing changes', () => {
    const path = join(folder, 'c.json');
    writeFileSync(path, '{"hooks":{"a":["proffer-hook"]}}');
    expect(planChange(path, edit).diff).toEqual([]);
    expect(planChange(join(folder, 'none.json'), (settings) => settings).diff).toEqual([]);
  });

  it('keeps comments and trailing commas', () => {
    const path = join(folder, 'e.json');
    const before = '{ // why\n  "a": 1, /* one */\n}\n';
    writeFileSync(path, before);
    makeChange(planChange(path, edit));
    expect(readFileSync(path, 'utf8')).toMatch(
      /^\{ \/\/ why\n {2}"a": 1,\n {2}"hooks": [^]*, \/\* one \*\/\n\}\n$/,
    );
    makeChange(planChange(path, ({ hooks: _hooks, ...rest }) => rest));
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it('is refused for a file that is not a JSON object', () => {
    const path = join(folder, 'd.json');
    for (const text of ['{ "a" }', '[1]', '{"a":1', 'a: 1']) {
      writeFileSync(path, text);
      expect(() => planChange(path, edit)).toThrow(UneditableSettingsError);
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
  });
});

describe('a diff', () => {
  it('shows changes with some context', () => {
    const before = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    const after = [...before.slice(0, 9), 'new', ...before.slice(10)];
    expect(lineDiff(before.join('\n'), after.join('\n'))).toEqual([
      '…',
      '  line 6',
      '  line 7',
      '  line 8',
      '- line 9',
      '+ new',
      '  line 10',
      '  line 11',
      '  line 12',
    ]);
    expect(lineDiff('', 'a\n')).toEqual(['+ a']);
    expect(lineDiff('a\n', '')).toEqual(['- a']);
    expect(lineDiff('a\nb\n', 'b\na\n')).toHaveLength(3);
    expect(lineDiff('a', 'a')).toEqual([]);
    expect(lineDiff('a\nb', 'a\nb\n')).toEqual([]);
    const far = after.map((line, at) => (at === 0 ? 'first' : line));
    expect(lineDiff(before.join('\n'), far.join('\n')).slice(0, 7)).toEqual([
      '- line 0',
      '+ first',
      '  line 1',
      '  line 2',
      '  line 3',
      '…',
      '  line 6',
    ]);
  });

  it('shows thousands of changed lines as one block', () => {
    const lines = (word: string) => Array.from({ length: 1_500 }, (_, index) => `${word} ${index}`);
    const diff = lineDiff(`same\n${lines('old').join('\n')}`, `same\n${lines('new').join('\n')}`);
    expect([diff[0], diff[1], diff[1_501], diff.length]).toEqual(['- same', '- old 0', '+ same', 3_002]);
  });
});

it('settings that are a link to a device are not edited, nor waited for', () => {
  const path = join(folder, 'device.json');
  symlinkSync('/dev/null', path);
  expect(() => planChange(path, (settings) => ({ ...settings, a: 1 }))).toThrow(
    new UneditableSettingsError(path, 'it is not a regular file.'),
  );
});
