import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENTS } from '../agents/index.js';
import { type HookSpace, startHookSpace } from '../testing/hook-space.js';

let home: string;
let space: HookSpace;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'proffer-lists-'));
  await mkdir(join(home, 'codex/rules'), { recursive: true });
  space = await startHookSpace('{ default: ask }', {
    home,
    env: { CLAUDE_CONFIG_DIR: join(home, 'claude'), CODEX_HOME: join(home, 'codex') },
  });
});
afterAll(async () => {
  await space[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

const allowInClaude = async (...allow: readonly string[]): Promise<void> => {
  await mkdir(join(home, 'claude'), { recursive: true });
  await writeFile(join(home, 'claude/settings.json'), JSON.stringify({ permissions: { allow } }));
};
const history = async (): Promise<string> => {
  const headers = { authorization: 'Bearer reviewer' };
  return await (await fetch(`${space.url}/spaces/main/feed`, { headers })).text();
};

describe("an agent's own list", () => {
  it('leaves the agent to it, and the history says so', async () => {
    await allowInClaude('Bash(npm test:*)');
    expect(await space.call('claude-code', 'npm test')).toEqual({ does: 'own' });
    await writeFile(join(home, 'codex/rules/default.rules'), 'prefix_rule(pattern = ["cargo", "test"])');
    expect(await space.call('codex', 'cargo test')).toEqual({ does: 'own' });
    await expect.poll(history).toContain("Claude Code's own settings allow this: Bash(npm test:*)");
    expect(await history()).not.toContain('mcp.proposal.');
  });

  it('does not answer for the agent: if it asks after all, a person decides', async () => {
    await allowInClaude('Bash(npm test:*)');
    const command = 'npm test';
    const event = 'PermissionRequest';
    const input = { ...AGENTS['claude-code'].sample('/home/ada/app', command), hook_event_name: event };
    const asked = space.call('claude-code', command, { event, input });
    const { approved } = await space.approve(command);
    expect(await asked).toMatchObject({ does: 'runs' });
    await space.report('claude-code', command, 'ok');
    await approved;
  });

  it('counts as it is now, and cannot be changed by the agent, wherever it is', async () => {
    await allowInClaude('Bash(make:*)', 'Bash(cp:*)', 'Bash(npm test:*)');
    expect(await space.call('claude-code', 'make')).toEqual({ does: 'own' });
    for (const file of ['claude/settings.json', 'codex/rules/default.rules', 'codex/rules/new.rules'])
      expect(await space.call('claude-code', `cp x ${join(home, file)}`)).toMatchObject({ does: 'refuses' });
    await allowInClaude('Bash(npm test:*)');
    const asked = space.call('claude-code', 'make');
    await (await space.proposalFor('make')).reject('policy');
    expect(await asked).toMatchObject({ does: 'refuses' });
  });
});

it('a repository whose lists are links to a device, or huge, holds nobody up', async () => {
  await allowInClaude('Bash(npm test:*)');
  const folder = join(home, 'app');
  await mkdir(join(folder, '.claude'), { recursive: true });
  await symlink('/dev/zero', join(folder, '.claude/settings.local.json'));
  await symlink('/dev/zero', join(folder, '.mcp.json'));
  const denied = JSON.stringify({ permissions: { deny: ['Bash(npm test:*)'] } });
  await writeFile(join(folder, '.claude/settings.json'), denied + ' '.repeat(1_048_576));
  const input = AGENTS['claude-code'].sample(folder, 'npm test');
  expect(await space.call('claude-code', 'npm test', { input })).toEqual({ does: 'own' });
});

it("agents' own lists do not count if so configured", async () => {
  await allowInClaude('Bash(npm test:*)');
  const env = { CLAUDE_CONFIG_DIR: join(home, 'claude') };
  await using other = await startHookSpace('{ default: ask }', { home, env, agentLists: false });
  const asked = other.call('claude-code', 'npm test');
  await (await other.proposalFor('npm test')).reject('policy');
  expect(await asked).toMatchObject({ does: 'refuses' });
});
