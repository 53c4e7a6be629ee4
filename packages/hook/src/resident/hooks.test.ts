import { createConnection } from 'node:net';
import { ProposalNotPendingError } from '@proffer/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT_IDS, AGENTS, type AgentId } from '../agents/index.js';
import { type HookSpace, startHookSpace } from '../testing/hook-space.js';

const RULES = `
default: ask
rules:
  - { name: look, action: allow, match: { command: ls ** } }
  - { name: no zap, action: deny, reason: Zap is never right., match: { command: zap ** } }
`;

let space: HookSpace;
beforeAll(async () => {
  space = await startHookSpace(RULES);
});
afterAll(() => space[Symbol.asyncDispose]());

/** For all agents at once: most of the time is spent waiting. */
const forEach = (test: (agent: AgentId) => Promise<unknown>): Promise<unknown> =>
  Promise.all(AGENT_IDS.map(test));
const recordOf = async (id: string): Promise<string> => {
  const response = await fetch(`${space.url}/spaces/main/proposals/${id}`, {
    headers: { authorization: 'Bearer reviewer' },
  });
  return await response.text();
};
const proposalOf = async (id: string): Promise<unknown> => {
  const { proposal } = JSON.parse(await recordOf(id)) as { readonly proposal: unknown };
  return proposal;
};

/** What an agent does if nobody decided: those whose hooks support asking do, the others do not run it. */
const UNDECIDED: Readonly<Record<AgentId, string>> = {
  'claude-code': 'asks',
  codex: 'refuses',
  'gemini-cli': 'asks',
  // It asks again before a shell command, and then passes the question to its user.
  cursor: 'own',
  'copilot-cli': 'asks',
};

describe("every agent's hook", () => {
  it('lets allowed calls run, and refuses denied ones with the reason', async () => {
    await forEach(async (agent) => {
      const allowed = await space.call(agent, 'ls -la');
      // Codex does not accept a yes here, and continues as if there were no hook.
      expect(allowed.does).toBe(agent === 'codex' ? 'own' : 'runs');
      expect(allowed.instead).toBeUndefined();
      const denied = await space.call(agent, 'ls; zap x');
      expect(denied).toMatchObject({ does: 'refuses', told: expect.stringContaining('Zap is never right.') });
    });
    // The console shows which rules decided.
    const headers = { authorization: 'Bearer reviewer' };
    const feed = async () => await (await fetch(`${space.url}/spaces/main/feed`, { headers })).text();
    const announced = async () => {
      // A connection that was not established in time is opened again for the agent's next call.
      await forEach((agent) => space.call(agent, 'ls -la'));
      return (await feed()).match(/"owner":"hook"/g)?.length;
    };
    await expect.poll(announced).toBe(AGENT_IDS.length);
  });

  it('O-11, O-46: lets an approved call pass, and claims nothing about it until the agent reports', async () => {
    await forEach(async (agent) => {
      const command = `${agent} approved`;
      const called = space.call(agent, command);
      const proposal = await space.proposalFor(command);
      expect(await proposalOf(proposal.id)).toMatchObject({
        proposer: agent,
        executor: agent,
        origin: { client: agent, user: 'ada', session: 'proffer-hook-test', folder: '/home/ada/app' },
        wouldRun: { name: agent, isProposer: true },
      });
      const { approved } = await space.approve(command);
      expect(await called).toMatchObject({ does: agent === 'codex' ? 'own' : 'runs' });
      expect(await proposalOf(proposal.id)).toMatchObject({ phase: 'allowed' });
      expect(await proposalOf(proposal.id)).not.toHaveProperty('outcome');
      await space.report(agent, command, 'ok');
      expect(await approved).toMatchObject({
        content: [{ text: expect.stringContaining(`${AGENTS[agent].label} ran it.`) }],
      });
      expect(await proposalOf(proposal.id)).toMatchObject({ phase: 'settled', outcome: { result: 'ok' } });
    });
  });

  it('O-13: runs the call as changed by the approver', async () => {
    await forEach(async (agent) => {
      const command = `${agent} before`;
      const called = space.call(agent, command);
      const proposal = await space.proposalFor(command);
      const { arguments: args } = proposal.params as { readonly arguments: object };
      const { id } = await space.approve(command, { ...args, command: `${agent} after` });
      expect(await called).toMatchObject({ does: 'runs', instead: { command: `${agent} after` } });
      await space.report(agent, `${agent} after`, 'ok');
      await expect.poll(() => proposalOf(id)).toMatchObject({ outcome: { result: 'ok' } });
    });
  });

  it('refuses a change that the rules deny', async () => {
    const called = space.call('claude-code', 'to be changed');
    const proposal = await space.proposalFor('to be changed');
    const approving = proposal.fulfil({ ...proposal.params, arguments: { command: 'zap x' } });
    await expect(approving).rejects.toThrow('Nothing was run. Claude Code was told:');
    expect(await called).toMatchObject({
      does: 'refuses',
      told: expect.stringMatching(
        /reviewer changed it while approving it\. Denied\. Rule "no zap" \(line 5\): Zap is never right/,
      ),
    });
  });

  it('O-31: refuses a rejected call, and tells the model who rejected it and why', async () => {
    await forEach(async (agent) => {
      const command = `${agent} rejected`;
      const called = space.call(agent, command);
      const { reject } = await space.proposalFor(command);
      await reject('unsafe', 'Use git clean.');
      expect(await called).toMatchObject({
        does: 'refuses',
        told: expect.stringMatching(/reviewer rejected this call: “Unsafe: Use git clean\.”/),
      });
    });
  });

  it('O-19: leaves an undecided call to the agent, or denies it if configured', async () => {
    await forEach(async (agent) => {
      const asked = space.call(agent, `${agent} expires`, { wait: 1_000 });
      const denied = space.call(agent, `${agent} expires too`, { wait: 1_000, otherwise: 'deny' });
      expect((await asked).does).toBe(UNDECIDED[agent]);
      expect(await denied).toMatchObject({
        does: 'refuses',
        told: expect.stringContaining('Not decided'),
      });
      const { fulfil } = await space.proposalFor(`${agent} expires`);
      await expect(fulfil()).rejects.toThrow(ProposalNotPendingError);
    });
  });

  it('O-15: withdraws a call the agent no longer waits for; a late approval runs nothing', async () => {
    await forEach(async (agent) => {
      const command = `${agent} cancelled`;
      // The launcher is aborted in the middle, as if it were killed.
      const socket = createConnection(`${space.folder}/hook/hook.sock`);
      const event = AGENTS[agent].events[0] ?? '';
      const bytes = Buffer.from(JSON.stringify(AGENTS[agent].sample('/home/ada/app', command)));
      const header = { agent, event, wait: 20_000, otherwise: 'ask', length: bytes.length };
      socket.write(`${JSON.stringify(header)}\n`);
      socket.write(bytes);
      const proposal = await space.proposalFor(command);
      socket.destroy();
      await expect.poll(() => recordOf(proposal.id)).toContain('The agent stopped waiting');
      await expect(proposal.fulfil()).rejects.toThrow(ProposalNotPendingError);
    });
  });
});

describe('an unreachable gateway', () => {
  it('keeps calls waiting, and they are decided when it is back', async () => {
    const called = AGENT_IDS.map((agent) => space.call(agent, `${agent} survives`));
    const proposals = await Promise.all(AGENT_IDS.map((agent) => space.proposalFor(`${agent} survives`)));
    await space.stopGateway();
    await space.startGateway();
    await expect.poll(() => space.reviewer.isConnected).toBe(true);
    await Promise.all(
      AGENT_IDS.map(async (agent, index) => {
        const { id = '', fulfil } = proposals[index] ?? {};
        // The agent's own connection also recovers by itself.
        await expect
          .poll(() => proposalOf(id))
          .toMatchObject({ wouldRun: { name: agent, isConnected: true } });
        fulfil?.().catch(() => {});
        expect(await called[index]).toMatchObject({ does: agent === 'codex' ? 'own' : 'runs' });
      }),
    );
  });

  it('leaves every agent to itself in time, while rules still decide', async () => {
    const waiting = AGENT_IDS.map((agent) => space.call(agent, `${agent} loses it`, { wait: 3_000 }));
    // On a busy machine, their time may be up before anybody has seen them.
    const isSeen = AGENT_IDS.map((agent) => space.proposalFor(`${agent} loses it`));
    await Promise.all(isSeen.map((seen, index) => Promise.race([seen, waiting[index]])));
    await space.stopGateway();
    try {
      for (const [index, agent] of AGENT_IDS.entries())
        expect((await waiting[index])?.does).toBe(UNDECIDED[agent]);
      await forEach(async (agent) => {
        expect((await space.call(agent, `${agent} asks nobody`, { wait: 1_000 })).does).toBe(
          UNDECIDED[agent],
        );
        expect((await space.call(agent, 'zap x')).does).toBe('refuses');
        expect((await space.call(agent, 'ls')).does).not.toBe('refuses');
      });
    } finally {
      await space.startGateway();
    }
    await expect.poll(() => space.reviewer.isConnected).toBe(true);
  });
});
