import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { proposal, withdrawal } from '../messages.js';
import { digestIn, idOf } from '../peers/script.js';
import type { Place, PlacesOptions, Venue } from '../places.js';

/** The configuration for shared limits. */
export const SHARED_LIMITS = {
  spaces: {
    agents: `{ review: [{ call: 'mcp.request.tools/call:echo', approvals: 2, from: [ann, bob],
      agents: { from: [bot], per_hour: 2, within: { text: { one_of: [hello] } } } }] }`,
  },
  masters: ['ann', 'bob', 'bot'],
} satisfies PlacesOptions;

const CALL = { tool: 'echo', arguments: { text: 'hello' } };
const send = (place: Place, who: string, path: string, body: object) =>
  place.ask(path, who, { method: 'POST', body: JSON.stringify(body) });

/** Counts that are shared by all gateways. */
export function describeSharedLimits(name: string, { take }: Venue): void {
  describe(`shared counts, on ${name}`, () => {
    it('O-41: for proposals at all at once, no use is counted twice and none too many runs', async () => {
      const places = take();
      const [here, there] = places;
      await using tools = await serveEcho(here);
      const grant = { to: 'agent', capabilities: ['mcp.request.tools/call:echo'], uses: 3 };
      expect(await send(here, 'reviewer', '/grants', grant)).toMatchObject({ status: 201 });
      await expect.poll(async () => (await there.ask('/grants', 'agent')).body['grants']).toHaveLength(1);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          send(places[index % 3] ?? here, 'agent', '/proposals', CALL),
        ),
      );
      for (const { status } of answers) expect([200, 201, 202, 503]).toContain(status);
      const { body } = await here.ask('/feed', 'reviewer');
      const messages = body['messages'] as readonly { readonly kind: string; readonly payload: JsonObject }[];
      const ran = messages.filter(({ kind }) => kind.startsWith('mcp.request.')).length;
      expect(messages.filter(({ payload }) => payload['notice'] === 'grant_used')).toHaveLength(3);
      // The slower one may have wasted one.
      expect(ran).toBeGreaterThan(0);
      expect(ran).toBeLessThanOrEqual(3);
      await expect
        .poll(() => tools.messages.filter(({ kind }) => kind.startsWith('mcp.request.')))
        .toHaveLength(ran);
    });

    it('O-28: together they let an agent approve alone as many as the policy says, and no more', async () => {
      const places = take('agents');
      const [here, there] = places;
      await using tools = await serveEcho(here);
      await using others = await there.connect('tools');
      await others.next(({ kind }) => kind === 'system.welcome');
      const made = await Promise.all(
        Array.from({ length: 6 }, () => send(here, 'agent', '/proposals', CALL)),
      );
      const answers = await Promise.all(
        made.map((proposed, index) =>
          send(places[index % 2] ?? here, 'bot', `/proposals/${idOf(proposed)}/approve`, {
            digest: digestIn(proposed),
            executor: 'tools',
          }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
      for (const { status, code } of answers) if (status !== 200) expect(code).toBe('agent_limit');
      for (const { messages } of [tools, others])
        expect(messages.filter(({ kind }) => kind.startsWith('mcp.request.')).length).toBeLessThanOrEqual(2);
    });

    it('O-37: a failed dependency ends those behind it once, at whichever gateway', async () => {
      const [here, there] = take();
      await using agent = await there.connect('agent');
      await here.post('agent', proposal('p1'));
      await here.post('agent', proposal('p2', { depends_on: ['p1'] }));
      await here.post('agent', proposal('p3', { depends_on: ['p2'] }));
      await here.post('agent', withdrawal('w1', 'p1'));
      const notice = await agent.next(
        ({ payload }) => payload['notice'] === 'declined' && payload['proposal'] === 'p3',
      );
      expect(notice.payload).toMatchObject({ why: 'dependency', dependency: 'p2', outcome: 'declined' });
      const said = agent.messages.filter(({ payload }) => payload['notice'] === 'declined');
      expect(said.map(({ correlationId }) => correlationId)).toEqual(['p2', 'p3']);
    });
  });
}

async function serveEcho(place: Place) {
  const tools = await place.connect('tools');
  await tools.say({ id: 't1', kind: 'mcpx.announce.tools', payload: { tools: [{ name: 'echo' }] } });
  return tools;
}
