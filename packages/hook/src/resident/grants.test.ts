import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT_IDS, AGENTS, type AgentId } from '../agents/index.js';
import { type HookSpace, startHookSpace } from '../testing/hook-space.js';

let space: HookSpace;
beforeAll(async () => {
  space = await startHookSpace(
    'default: ask\nrules: [{ name: push, action: deny, match: { command: "git push*" } }]',
  );
});
afterAll(() => space[Symbol.asyncDispose]());

/** A call that somebody is asked about and rejects. */
async function rejected(asking: Promise<unknown>, command: string): Promise<void> {
  await (await space.proposalFor(command)).reject('unsafe');
  expect(await asking).toMatchObject({ does: 'refuses' });
}

/** Codex does not accept a yes before a tool: it falls back to its own rules. */
const yes = (agent: AgentId) => (agent === 'codex' ? 'own' : 'runs');

/** An agent's sample event, from another session. */
function from(agent: AgentId, command: string, session: string) {
  const sample = AGENTS[agent].sample('/home/ada/app', command);
  return JSON.parse(JSON.stringify(sample).replaceAll('proffer-hook-test', session));
}

describe('a grant for a session of an agent', () => {
  it.each(AGENT_IDS)(
    'O-41: %s runs the next such call without asking, in that session only',
    async (agent) => {
      const { reviewer } = space;
      const asking = space.call(agent, `make ${agent}`);
      const proposal = await space.proposalFor(`make ${agent}`);
      const { origin } = proposal;
      const { name } = proposal.params as { readonly name: string };
      expect(origin).toMatchObject({ client: agent, session: 'proffer-hook-test' });
      const capability = `mcp.request.tools/call:${name}`;
      const granted = await reviewer.grant(agent, [capability], { session: origin?.session ?? '' });
      await space.approve(`make ${agent}`);
      expect(await asking).toMatchObject({ does: yes(agent) });
      expect(await space.call(agent, `make ${agent} twice`)).toMatchObject({ does: yes(agent) });
      const elsewhere = `make ${agent} elsewhere`;
      await rejected(space.call(agent, '', { input: from(agent, elsewhere, 'another') }), elsewhere);
      await reviewer.revoke(granted.id);
      await rejected(space.call(agent, `make ${agent} again`), `make ${agent} again`);
    },
  );

  it('O-41: denying rules and the built-in protections override a grant', async () => {
    await space.reviewer.grant('claude-code', ['mcp.request.tools/call'], { ttl: 60_000 });
    expect(await space.call('claude-code', 'make it')).toMatchObject({ does: 'runs' });
    expect(await space.call('claude-code', 'git push')).toMatchObject({ does: 'refuses' });
    expect(await space.call('claude-code', `cat ${space.folder}/journal`)).toMatchObject({ does: 'refuses' });
    // Anything unclear, or possibly protected, needs a person each time.
    for (const command of [`ls ${dirname(space.folder)}`, 'eval "$x"'])
      await rejected(space.call('claude-code', command), command);
  });
});
