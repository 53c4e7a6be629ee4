import { textOf } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { answer, fulfilment, proposal, rejection } from '../messages.js';
import { until } from '../metrics.js';
import type { Answer } from '../peers/http.js';
import type { Message } from '../peers/peer.js';
import type { Place, PlacesOptions, Venue } from '../places.js';
import { presentAt } from './presence.js';

/** The configuration for deciding together. */
export const DECIDING = {
  spaces: {
    reviewed: '{ review: [{ call: mcp.request.tools/call, approvals: 2, from: [ann, bob] }] }',
    escalating:
      '{ review: [{ call: mcp.request.tools/call, from: [ann], escalate: [{ after: 1s, to: [bob] }] }] }',
  },
  masters: ['ann', 'bob', 'cleo'],
} satisfies PlacesOptions;

const HOUR = 3_600_000;
const notice =
  (name: string) =>
  ({ kind, payload }: Message): boolean =>
    kind === 'system.notice' && payload['notice'] === name;
const request = (id: string) => {
  const { correlationId: _proposal, ...message } = fulfilment(id, '');
  return message;
};
const proposalIn = ({ body }: Answer) => body['proposal'] as { readonly digest: string };

/** Resolves when a participant counts as connected at a gateway. */
const present = (place: Place, name: string): Promise<void> =>
  until(async () => (await presentAt(place)).includes(name));

/** Deciding together when everyone is connected to a different gateway. */
export function describeDeciding(name: string, { take }: Venue): void {
  describe(`deciding together, on ${name}`, () => {
    it('O-41: a grant applies at once at every gateway, each use once, and ends when it is revoked', async () => {
      const places = take();
      const [here, there, elsewhere] = places;
      await using tools = await here.connect('tools');
      await present(there, 'tools');
      await present(elsewhere, 'tools');
      const grant = (id: string, more: object) => ({
        id,
        kind: 'mcpx.grant.capability',
        payload: { to: 'agent', capabilities: ['mcp.request.tools/call:write_file'], ...more },
      });
      for (let round = 0; round < 10; round++) {
        const [giver = here, user = there, revoker = elsewhere] = [0, 1, 2].map(
          (index) => places[(round + index) % 3],
        );
        const refused = { status: 403, code: 'capability_violation' };
        expect(await giver.post('reviewer', grant(`g${round}`, { uses: 1 }))).toMatchObject({ status: 200 });
        expect(await user.post('agent', request(`m${round}`))).toMatchObject({ status: 200 });
        expect(await revoker.post('agent', request(`n${round}`))).toMatchObject(refused);
        expect(await giver.post('reviewer', grant(`h${round}`, { ttl: HOUR }))).toMatchObject({
          status: 200,
        });
        const revocation = { kind: 'mcpx.revoke.capability', correlationId: `h${round}`, payload: {} };
        expect(await revoker.post('reviewer', { id: `r${round}`, ...revocation })).toMatchObject({
          status: 200,
        });
        expect(await user.post('agent', request(`o${round}`))).toMatchObject(refused);
      }
      expect(tools.messages.filter(({ kind }) => kind.startsWith('mcp.request.'))).toHaveLength(10);
    });

    it('O-34: a part delegated at one gateway applies at once at another, and so does taking it back', async () => {
      const [here, there, elsewhere] = take('reviewed');
      await using tools = await here.connect('tools');
      await present(there, 'tools');
      const send = (place: Place, who: string, path: string, body: object) =>
        place.ask(path, who, { method: 'POST', body: JSON.stringify(body) });
      const hand = { to: 'cleo', until: new Date(Date.now() + HOUR).toISOString() };
      for (let round = 0; round < 5; round++) {
        const proposed = await send(here, 'agent', '/proposals', {
          tool: 'write_file',
          arguments: { path: `/${round}` },
        });
        const id = textOf(proposed.body['id']);
        const { digest } = proposalIn(proposed);
        const approve = (place: Place, who: string) =>
          send(place, who, `/proposals/${id}/approve`, { digest, executor: 'tools' });
        expect(await approve(there, 'cleo')).toMatchObject({ code: 'not_approver' });
        expect(await send(elsewhere, 'ann', '/delegation', hand)).toMatchObject({ status: 200 });
        expect(await approve(there, 'cleo')).toMatchObject({ status: 200 });
        expect(await approve(elsewhere, 'bob')).toMatchObject({ status: 200 });
        await tools.next(({ correlationId }) => correlationId === id);
        expect(await send(here, 'ann', '/delegation', { revoke: true })).toMatchObject({ status: 200 });
      }
    });

    it('O-29: approvals paused at one gateway are paused at all, until another resumes them', async () => {
      const [here, there, elsewhere] = take();
      await using tools = await here.connect('tools');
      await using watching = await there.connect('reviewer');
      await present(there, 'tools');
      await here.post('agent', proposal('p1'));
      await elsewhere.post('reviewer', {
        id: 'x1',
        kind: 'mcpx.pause.approvals',
        payload: { reason: 'lunch' },
      });
      await watching.next(({ id }) => id === 'x1');
      expect(await there.post('reviewer', fulfilment('f1', 'p1'))).toMatchObject({
        code: 'approvals_paused',
      });
      await here.post('reviewer', { id: 'x2', kind: 'mcpx.resume.approvals', payload: {} });
      expect(await there.post('reviewer', fulfilment('f2', 'p1'))).toMatchObject({ status: 200 });
      await tools.next(({ id }) => id === 'f2');
    });

    it('O-20, O-32: a reservation holds for someone connected elsewhere, and passes to the others when they reject', async () => {
      const [here, there, elsewhere] = take();
      await using agent = await here.connect('agent');
      await using tools = await elsewhere.connect('tools');
      await using steward = await elsewhere.connect('steward');
      await present(here, 'steward');
      await present(there, 'tools');
      const targeting = { preferred: ['steward'], exclusive: true };
      await agent.say(proposal('p1', { targeting }));
      await agent.say(proposal('p2', { targeting: { ...targeting, fallback_to_broadcast: false } }));
      await agent.say(proposal('p3', { targeting }));
      expect(await there.post('reviewer', fulfilment('f1', 'p1'))).toMatchObject({ code: 'reserved' });
      await steward.say(rejection('r1', 'p1'));
      await steward.say(rejection('r2', 'p2'));
      await agent.next((message) => notice('opened')(message) && message.correlationId === 'p1');
      await agent.next((message) => notice('declined')(message) && message.correlationId === 'p2');
      expect(await there.post('reviewer', fulfilment('f2', 'p1'))).toMatchObject({ status: 200 });
      await steward.say(fulfilment('f3', 'p3'));
      for (const id of ['f2', 'f3']) await tools.next((message) => message.id === id);
      const about = (name: string) =>
        agent.messages.filter(notice(name)).map(({ correlationId }) => correlationId);
      expect([about('opened'), about('declined')]).toEqual([['p1'], ['p1', 'p2']]);
    });

    it('O-20, O-32: a reservation for someone who leaves every gateway ends, once', async () => {
      const [here, there, elsewhere] = take();
      await using agent = await here.connect('agent');
      const steward = await there.connect('steward');
      const again = await elsewhere.connect('steward');
      await present(here, 'steward');
      const targeting = { preferred: ['steward'], exclusive: true, quick_reject: true };
      await agent.say(proposal('p1', { targeting }));
      await steward[Symbol.asyncDispose]();
      expect(await there.post('reviewer', fulfilment('f1', 'p1'))).toMatchObject({ code: 'reserved' });
      await again[Symbol.asyncDispose]();
      await agent.next(notice('opened'));
      await agent.say(proposal('p2'));
      expect(agent.messages.filter(notice('opened'))).toHaveLength(1);
    });

    it('O-37: a plan continues at any gateway, and each step runs once', async () => {
      const [here, there, elsewhere] = take();
      await using tools = await there.connect('tools');
      await present(elsewhere, 'tools');
      await here.post('agent', proposal('first'));
      await there.post('agent', proposal('second', { depends_on: ['first'] }));
      await here.post('agent', proposal('third', { depends_on: ['second'] }));
      for (const id of ['third', 'second', 'first'])
        expect(await elsewhere.post('reviewer', fulfilment(`runs-${id}`, id))).toMatchObject({ status: 200 });
      for (const id of ['first', 'second', 'third']) {
        const { id: asked } = await tools.next(
          ({ kind, correlationId }) => kind.startsWith('mcp.request.') && correlationId === id,
        );
        await tools.say(answer(`answers-${id}`, asked));
      }
      const ran = tools.messages.filter(
        ({ kind, seq }) => kind.startsWith('mcp.request.') && seq !== undefined,
      );
      // An early approval is reported as one; the request follows when it is due.
      expect(new Set(ran.map(({ correlationId }) => correlationId)).size).toBe(3);
      expect(ran).toHaveLength(3);
    });

    it('O-33: escalates once, however many gateways watch the clock', async () => {
      const [here, there, elsewhere] = take('escalating');
      await using agent = await here.connect('agent');
      await using bob = await elsewhere.connect('bob');
      for (let count = 0; count < 10; count++) await there.post('agent', proposal(`p${count}`));
      const isAbout = (count: number) => (message: Message) =>
        notice('escalated')(message) && message.correlationId === `p${count}`;
      for (let count = 0; count < 10; count++) await bob.next(isAbout(count));
      await agent.say(proposal('last'));
      expect(agent.messages.filter(notice('escalated'))).toHaveLength(10);
    });
  });
}
