import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { lockFile } from '@proffer/journal';
import { expect, it, onTestFinished } from 'vitest';
import { runHere } from '../testing/in-process.js';

const ZED = `// mine
{
  "context_servers": {
    "notes": { "command": "npx", "args": ["-y", "notes-mcp"], "env": { "API_KEY": "sk-live-0123456789abcdef0123" } },
    "far": { "url": "https://example.com/mcp" },
  },
}
`;
const CLAUDE = '{\n  "model": "opus"\n}\n';

/** A user with Zed, Claude Code, or neither. */
function user(
  files: Readonly<Record<string, string>> = {
    '.config/zed/settings.json': ZED,
    '.claude/settings.json': CLAUDE,
  },
) {
  const home = mkdtempSync(join(tmpdir(), 'proffer-connect-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const path = (name: string): string => join(home, name);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  }
  const env = { HOME: home, PROFFER_HOME: join(home, 'proffer') };
  return {
    path,
    read: (name: string): string => readFileSync(path(name), 'utf8'),
    run: (...line: readonly string[]) => runHere(line, env),
    type: (types: string, ...line: readonly string[]) => runHere(line, env, { types }),
  };
}

const ALL_ZED = '.config/zed/settings.json';

it('connects everything, tells what is covered and since when, and puts it back byte for byte', async () => {
  const { run, read } = user();
  const { code, stdout } = await run('connect', '--all');
  expect(code).toBe(0);
  expect(stdout).toContain('Connected: Claude Code, Zed. Restart them if they are running.');
  expect(stdout.match(/^From now on Proffer asks you .*$/gm)).toHaveLength(1);
  expect(stdout).toContain('proffer disconnect');
  expect(stdout).not.toContain('sk-live');
  // With --data, since programs do not have the variables of this shell.
  expect(read(ALL_ZED)).toMatch(
    /"guard", "--name", "notes", "--known-as=notes", "--data", "[^"]+guard", "--", "npx", "-y", "notes-mcp"\]/,
  );
  const { items } = JSON.parse((await run('status', '--json')).stdout) as { items: readonly unknown[] };
  const since = expect.any(Number) as number;
  expect(items).toMatchObject([
    { name: 'claude-code/hook', type: 'covered', by: 'hook', since },
    { name: 'zed/tools', type: 'uncovered', why: 'MCP servers only: Proffer has no hook for Zed' },
    { name: 'zed/notes', type: 'covered', by: 'guard', since },
    { name: 'zed/far', type: 'uncovered', why: expect.stringContaining('remote server') },
  ]);
  const status = await run('status');
  expect(status.stdout).toMatch(/server notes {2}guard since \d\d:\d\d:\d\d/);
  expect(status.stdout).toContain('Covered: 2. Not covered: 2.');
  expect((await run('connect', '--all')).stdout).toContain(
    'Everything that can be connected is already connected.',
  );
  const undone = await run('disconnect');
  expect([undone.code, read(ALL_ZED), read('.claude/settings.json')]).toEqual([0, ZED, CLAUDE]);
  expect((await run('disconnect')).stdout).toContain('Nothing is connected');
});

it('O-50: with --watch asks nobody, says so, and status says what would have been asked', async () => {
  const { run } = user();
  const { stdout } = await run('connect', '--all', '--watch');
  expect(stdout).toContain('Proffer only watches');
  expect(stdout).not.toContain('From now on Proffer asks you');
  expect(stdout).toContain('watch --end');
  expect((await run('status')).stdout).toMatch(/Watching only since[^]*nobody is asked[^]*Covered: 2/);
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ watching: true });
  await run('watch', '--end');
  expect((await run('status')).stdout).not.toContain('Watching');
  // Also if everything is connected already.
  expect((await run('connect', '--all', '--watch')).stdout).toContain('Watching only');
  expect((await run('connect', '--all')).stdout).toContain('Watching only');
  expect((await run('disconnect')).stdout).toContain('no longer in watch mode');
  expect((await run('connect', '--dry-run', '--watch')).stdout).toContain('Proffer would only watch');
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ watching: false });
});

it('changes nothing without a choice, with --dry-run, and where nothing is found', async () => {
  const { run, read } = user();
  const { code, stderr } = await run('connect');
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/Nothing was changed\. Without a terminal[^]*connect --all/),
  ]);
  const dry = await run('connect', '--dry-run');
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringMatching(/\+ .*guard[^]*Nothing was changed\./)]);
  expect([read(ALL_ZED), read('.claude/settings.json')]).toEqual([ZED, CLAUDE]);
  const nobody = user({});
  expect(await nobody.run('connect', '--all')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Zed'),
  });
  expect(await nobody.run('status')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('No program'),
  });
});

it('connects only what is named, and says which name was meant', async () => {
  const { run, read } = user();
  expect((await run('connect', '--only', 'claude')).code).toBe(0);
  expect([read(ALL_ZED), read('.claude/settings.json').includes('proffer-hook')]).toEqual([ZED, true]);
  expect((await run('connect', '--only', 'zed/notes')).code).toBe(0);
  expect(read(ALL_ZED)).toContain('guard');
  expect((await run('disconnect', '--only', 'zed')).code).toBe(0);
  expect([read(ALL_ZED), read('.claude/settings.json').includes('proffer-hook')]).toEqual([ZED, true]);
  for (const [line, said] of [
    [['connect', '--only', 'zed/note'], /no such program was found here[^]*--only zed\/notes/],
    [['connect', '--only', 'cursor'], /cursor was not found on this machine/],
    [['connect', '--only', ','], /--only needs a name/],
    [['connect', '--only', 'zed', '--all'], /cannot be used together/],
    [['disconnect', '--only', 'zeed'], /is not a program[^]*--only zed/],
    [['status', 'queued'], /Which proposals\?/],
  ] as const)
    expect(await run(...line)).toMatchObject({ code: 2, stderr: expect.stringMatching(said) });
});

it('lets people at a terminal choose by numbers, and does nothing on a no', async () => {
  const { type, read } = user();
  expect(await type('none\n', 'connect')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('Nothing was changed.'),
  });
  expect([read(ALL_ZED), read('.claude/settings.json')]).toEqual([ZED, CLAUDE]);
  const chosen = await type('2\n', 'connect', '--yes');
  expect([chosen.code, chosen.stdout]).toEqual([0, expect.stringContaining('Connected: Zed.')]);
  expect([read(ALL_ZED).includes('guard'), read('.claude/settings.json')]).toEqual([true, CLAUDE]);
  expect((await type('no\n', 'disconnect')).code).toBe(1);
  expect(read(ALL_ZED)).toContain('guard');
});

it('leaves a file alone that cannot be read or written, and names it', async () => {
  const { run, read, path } = user();
  writeFileSync(path(ALL_ZED), '{ "context_servers": ');
  const { stdout } = await run('connect', '--all');
  expect(stdout).toMatch(
    /not covered: \S*settings\.json cannot be read \(line 1.*Correct the file, then connect/,
  );
  expect(read(ALL_ZED)).toBe('{ "context_servers": ');
  writeFileSync(path('.claude/settings.json'), '{ broken');
  const undone = await run('disconnect');
  expect(undone).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/1 file was left alone[^]*as it was before is /),
  });
  expect(read('.claude/settings.json')).toBe('{ broken');
});

it('says why something cannot be connected by its name', async () => {
  const { run, path } = user();
  mkdirSync(path('.cursor'));
  writeFileSync(path('.cursor/mcp.json'), '{"mcpServers":{"memory":{"command":"memory"}}}');
  const { code, stdout } = await run('connect', '--only', 'cursor/memory', '--dry-run');
  expect(code).toBe(0);
  expect(stdout).toContain(
    'cursor/memory is not covered: connect the hook, which asks about all servers of Cursor.',
  );
  expect(stdout).not.toContain('disconnect');
  await run('connect', '--only', 'zed');
  const again = await run('connect', '--only', 'zed');
  expect(again.stdout).toContain('Everything named with --only that can be connected is already connected.');
  expect(again.stdout).toContain('zed/tools is not covered: MCP servers only');
});

it('lets nobody else connect at the same time', async () => {
  const { run, read, path } = user();
  mkdirSync(path('proffer/guard/connect'), { recursive: true });
  const lock = await lockFile(path('proffer/guard/connect/lock'));
  onTestFinished(async () => {
    if ('release' in lock) await lock.release();
  });
  expect(await run('connect', '--all')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is running'),
  });
  expect(read(ALL_ZED)).toBe(ZED);
});

it('keeps what it knows and the backups to their owner', async () => {
  const { run, path } = user();
  chmodSync(path(ALL_ZED), 0o644);
  await run('connect', '--all');
  expect(statSync(path('proffer/guard/connect')).mode & 0o777).toBe(0o700);
  expect(statSync(path('proffer/guard/connect/connected.json')).mode & 0o777).toBe(0o600);
  writeFileSync(path('proffer/guard/connect/connected.json'), '{"version":99}');
  expect(await run('status')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('newer version of Proffer'),
  });
});
