import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentId } from '../agents/index.js';
import { type HookSpace, startHookSpace } from '../testing/hook-space.js';

let space: HookSpace;
beforeAll(async () => {
  space = await startHookSpace('default: ask');
});
afterAll(() => space[Symbol.asyncDispose]());

/** An agent's second question about a command, in its own format. */
const SECOND: Readonly<Partial<Record<AgentId, { event: string; about: (command: string) => object }>>> = {
  'claude-code': {
    event: 'PermissionRequest',
    about: (command) => ({
      hook_event_name: 'PermissionRequest',
      session_id: 'proffer-hook-test',
      cwd: '/home/ada/app',
      tool_name: 'Bash',
      tool_input: { command, description: 'said in another way' },
    }),
  },
  codex: {
    event: 'PermissionRequest',
    about: (command) => ({
      hook_event_name: 'PermissionRequest',
      session_id: 'proffer-hook-test',
      cwd: '/home/ada/app',
      tool_name: 'Bash',
      tool_input: { command, description: 'why' },
    }),
  },
  cursor: {
    event: 'beforeShellExecution',
    about: (command) => ({
      hook_event_name: 'beforeShellExecution',
      conversation_id: 'proffer-hook-test',
      workspace_roots: ['/home/ada/app'],
      cwd: '/home/ada/app',
      command,
    }),
  },
  'copilot-cli': {
    event: 'permissionRequest',
    about: (command) => ({
      sessionId: 'proffer-hook-test',
      cwd: '/home/ada/app',
      toolName: 'bash',
      toolInput: JSON.stringify({ command }),
    }),
  },
};
const ASKING_TWICE = Object.keys(SECOND) as AgentId[];
const again = (agent: AgentId, command: string, wait = 20_000) => {
  const { event = '', about } = SECOND[agent] ?? {};
  return space.call(agent, command, { event, wait, input: { ...about?.(command) } });
};

describe('an agent that asks about a call twice', () => {
  it('gets the first answer again, once, and nobody is asked twice', async () => {
    await Promise.all(
      ASKING_TWICE.map(async (agent) => {
        const command = `${agent} twice`;
        const first = space.call(agent, command);
        await space.approve(command);
        await first;
        expect((await again(agent, command)).does).toBe('runs');
        // A third question is new.
        const third = await again(agent, command, 1_000);
        expect(third.does).toBe(agent === 'cursor' ? 'asks' : 'own');
      }),
    );
  });

  it('is asked about the changed call, not the original one', async () => {
    await Promise.all(
      ASKING_TWICE.map(async (agent) => {
        const command = `${agent} first`;
        const first = space.call(agent, command);
        await space.approve(command, { command: `${agent} changed` });
        await first;
        expect((await again(agent, command, 1_000)).does).not.toBe('runs');
        expect((await again(agent, `${agent} changed`)).does).toBe('runs');
      }),
    );
  });

  it('is left to its own question at once if nobody decided the first time', async () => {
    await Promise.all(
      ASKING_TWICE.map(async (agent) => {
        const command = `${agent} undecided`;
        await space.call(agent, command, { wait: 1_000 });
        expect((await again(agent, command)).does).toBe(agent === 'cursor' ? 'asks' : 'own');
      }),
    );
  });

  it('can be limited to that event, and is told what to run if it cannot change a call', async () => {
    await Promise.all(
      ASKING_TWICE.map(async (agent) => {
        const command = `${agent} only here`;
        const called = again(agent, command);
        const proposal = await space.proposalFor(command);
        const approving = proposal.fulfil({ ...proposal.params, arguments: { command: 'something else' } });
        approving.catch(() => {});
        if (agent !== 'claude-code') await expect(approving).rejects.toThrow('Nothing was run.');
        const answer = await called;
        if (agent === 'claude-code')
          expect(answer).toEqual({ does: 'runs', instead: { command: 'something else' } });
        else
          expect(answer).toMatchObject({
            does: 'refuses',
            told: expect.stringContaining('{"command":"something else"}'),
          });
      }),
    );
  });
});
