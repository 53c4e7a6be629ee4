import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { noteGuard } from '@proffer/client/machine';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type HookSpace, startHookSpace } from '../testing/hook-space.js';

let space: HookSpace;
beforeAll(async () => {
  space = await startHookSpace(`
rules:
  - { action: deny, match: { server: git, tool: push } }
  - { action: ask, match: { server: git, tool: tag } }
`);
});
afterAll(() => space[Symbol.asyncDispose]());

/** A call of Gemini CLI, whose events name the server. */
const call = (tool: string, args: object = {}) =>
  space.call('gemini-cli', '', {
    otherwise: 'deny',
    input: {
      session_id: 's',
      cwd: '/home/ada/app',
      hook_event_name: 'BeforeTool',
      tool_name: `mcp_git_${tool}`,
      tool_input: { ...args },
      mcp_context: { server_name: 'git', tool_name: tool },
    },
  });
/** This process is the launcher here, so a guard with the same parent is one of the same agent. */
const guard = { name: 'git', server: 'git', pid: process.pid, parent: process.ppid };
const guarded = (more: Partial<typeof guard> = {}): void => {
  onTestFinished(noteGuard(space.folder, { ...guard, ...more }));
};
const ALLOWED = { does: 'runs' };
const DENIED = { does: 'refuses', told: expect.stringContaining('Denied') };

let calls = 0;
/** Somebody is asked about the call, and rejects it. */
async function expectAsked(tool: string): Promise<void> {
  const command = `call ${++calls}`;
  const told = call(tool, { command });
  await (await space.proposalFor(command)).reject('unsafe', command);
  expect(await told).toMatchObject({ does: 'refuses', told: expect.stringContaining(command) });
}

describe('a call of an MCP server that has a guard in front of it', () => {
  it('is not asked about twice: the guard asks', async () => {
    guarded();
    expect(await call('commit')).toMatchObject(ALLOWED);
  });

  it('is asked about here if a rule says so, and denied if a rule or a protection denies it', async () => {
    guarded();
    await expectAsked('tag');
    expect(await call('push')).toMatchObject(DENIED);
    expect(await call('commit', { path: join(space.folder, 'reviewer.token') })).toMatchObject(DENIED);
  });

  it.each([
    ['is of another server', { server: 'github' }],
    ['is of a server whose name is nearly the same', { server: 'git ' }],
    ['was started by another process', { pid: 1, parent: 0 }],
    ['is not running any more', { pid: 2 ** 22 + 1 }],
  ])('is asked about here if the guard %s', async (_title, more) => {
    guarded(more);
    await expectAsked('commit');
  });

  it('is asked about here once the guard has ended, and the notes of killed guards are removed', async () => {
    noteGuard(space.folder, guard)();
    noteGuard(space.folder, { ...guard, pid: 2 ** 22 + 1 });
    await expectAsked('commit');
    expect(readdirSync(join(space.folder, 'running'))).toEqual([]);
  });

  it('is asked about here if the hooks ask in another gateway', async () => {
    await using elsewhere = await startHookSpace('default: ask', { isShared: false });
    onTestFinished(noteGuard(elsewhere.folder, guard));
    const before = space;
    space = elsewhere;
    try {
      await expectAsked('commit');
    } finally {
      space = before;
    }
  });
});
