import { describe, expect, it } from 'vitest';
import { chat, fulfilment, proposal, withdrawal } from '../messages.js';
import type { Message } from '../peers/peer.js';
import type { Place, Places, Venue } from '../places.js';

const isNotice = ({ kind }: Message): boolean => kind === 'system.notice';

/** Proposals at any gateway, also if gateways know each other only by the journal. */
export function describeOperations(name: string, { take }: Venue): void {
  describe(`proposals on ${name}`, () => {
    it('I-2, O-12: one of many fulfilments gets through, runs once, and all agree on everything', async () => {
      const places = take();
      const [here] = places;
      await using agent = await here.connect('agent');
      await using tools = await serveEverywhere(places);
      const rounds = Array.from({ length: 12 }, (_, round) => `p${round}`);
      for (const id of rounds) {
        await agent.say(proposal(id));
        const tries = Array.from({ length: 6 }, (_, index) =>
          at(places, index).post('reviewer', fulfilment(`${id}-${index}`, id)),
        );
        const answers = await Promise.all(tries);
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
        for (const { status, code } of answers) if (status !== 200) expect(code).toBe('proposal_not_pending');
      }
      await agent.say(chat('last'));
      for (const peer of tools.peers) {
        await peer.next(({ id }) => id === 'last');
        const ran = peer.messages.filter(({ kind }) => kind.startsWith('mcp.request.'));
        expect(ran.map(({ correlationId }) => correlationId)).toEqual(rounds);
      }
      const [one, two, three] = await Promise.all(places.map((place) => place.ask('/proposals', 'agent')));
      expect(two?.body).toEqual(one?.body);
      expect(three?.body).toEqual(one?.body);
    });

    it('I-2, I-6: everything one participant sends through all at once is recorded once, in one order', async () => {
      const places = take();
      const [here, there] = places;
      await using follower = await here.connect('reviewer');
      await using other = await there.connect('reviewer');
      const said = Array.from({ length: 60 }, (_, index) => chat(`c${index}`));
      const answers = await Promise.all(
        said.map((message, index) => at(places, index).post('agent', message)),
      );
      // Many may give up in such a race; none may be reported as accepted and be missing.
      const accepted = said.filter((_, index) => answers[index]?.status === 200).map(({ id }) => id);
      for (const { status, code } of answers) if (status !== 200) expect(code).toBe('unavailable');
      await here.post('tools', chat('last'));
      await follower.next(({ id }) => id === 'last');
      await other.next(({ id }) => id === 'last');
      const seen = follower.messages.filter(({ from }) => from === 'agent').map(({ id }) => id);
      expect([...seen].sort()).toEqual([...accepted].sort());
      expect(other.messages.filter(({ from }) => from === 'agent').map(({ id }) => id)).toEqual(seen);
      // A repetition elsewhere is recognised there.
      const again = await there.post('agent', chat(accepted[0] ?? ''));
      expect(again.body).toMatchObject({ status: 'duplicate' });
    });

    it("O-3: a script's request repeated at another gateway is the same one", async () => {
      const [here, there, elsewhere] = take();
      const propose = (place: Place) =>
        place.ask('/proposals', 'agent', {
          method: 'POST',
          headers: { 'idempotency-key': 'once' },
          body: JSON.stringify({ tool: 'write_file', arguments: { path: '/a' } }),
        });
      const [first, ...others] = await Promise.all([here, there, elsewhere].map(propose));
      const again = await propose(there);
      for (const { status, body } of [...others, again])
        expect([status < 300, body['id']]).toEqual([true, first?.body['id']]);
      const { body } = await elsewhere.ask('/proposals', 'agent');
      expect(body['proposals']).toHaveLength(1);
    });

    it('O-19, I-2: what all gateways notice independently is recorded once', async () => {
      const [here, there, elsewhere] = take();
      await using agent = await here.connect('agent');
      await using reviewer = await there.connect('reviewer');
      for (let count = 0; count < 20; count++) await agent.say(proposal(`p${count}`, { ttl: 100 }));
      await agent.say(proposal('later'));
      for (let count = 0; count < 20; count++)
        await reviewer.next((message) => isNotice(message) && message.correlationId === `p${count}`);
      await elsewhere.post('agent', withdrawal('w1', 'later'));
      await reviewer.next(({ id }) => id === 'w1');
      const notices = reviewer.messages.filter(isNotice);
      expect(notices.map(({ correlationId }) => String(correlationId)).sort()).toEqual(
        Array.from({ length: 20 }, (_, count) => `p${count}`).sort(),
      );
    });

    it("O-40, O-41: no use is spent twice, and all see each other's counter-offers", async () => {
      const places = take();
      const [here, there, elsewhere] = places;
      await using agent = await here.connect('agent');
      await using other = await there.connect('agent');
      const granted = await here.post('reviewer', {
        id: 'g1',
        kind: 'mcpx.grant.capability',
        payload: { to: 'agent', capabilities: ['mcp.request.tools/call:write_file'], uses: 5 },
      });
      expect(granted).toMatchObject({ status: 200 });
      await other.next(({ id }) => id === 'g1');
      const { correlationId: _proposal, ...call } = fulfilment('m', 'p');
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          at(places, index).post('agent', { ...call, id: `m${index}` }),
        ),
      );
      const taken = answers.filter(({ status }) => status === 200);
      // A gateway that lost each race may have wasted one.
      expect(taken.length).toBeGreaterThan(0);
      expect(taken.length).toBeLessThanOrEqual(5);
      for (const { status, code } of answers)
        if (status !== 200) expect(['capability_violation', 'unavailable']).toContain(code);
      await expect.poll(async () => (await elsewhere.ask('/grants', 'agent')).body).toEqual({ grants: [] });

      await agent.say(proposal('p1'));
      await other.next(({ id }) => id === 'p1');
      const offer = { params: { name: 'write_file', arguments: { path: '/tmp/b' } }, reason: 'safer' };
      const counter = { id: 'c1', kind: 'mcpx.counter.proposal', correlationId: 'p1', payload: offer };
      expect(await there.post('reviewer', counter)).toMatchObject({ status: 200 });
      await agent.next(({ id }) => id === 'c1');
      await using tools = await here.connect('tools');
      await tools.say({
        id: 'n1',
        kind: 'mcpx.announce.tools',
        payload: { tools: [{ name: 'write_file' }] },
      });
      const accepting = { id: 'a1', kind: 'mcpx.accept.counter', correlationId: 'c1', payload: {} };
      expect(await here.post('agent', accepting)).toMatchObject({ status: 200 });
      expect(await tools.next(({ kind }) => kind.startsWith('mcp.request.'))).toMatchObject({
        from: 'reviewer',
        payload: { params: offer.params },
      });
    });
  });
}

/** In sequence. */
const at = (places: Places, index: number): Places[number] => places[index % places.length] ?? places[0];

/**
 * An executor with a connection to each: what runs reaches all of them, at whichever gateway it was accepted.
 */
async function serveEverywhere(places: Places) {
  const peers = await Promise.all(
    [...new Set(places.map(({ ws }) => ws))].map((_, index) => at(places, index).connect('tools')),
  );
  await Promise.all(peers.map((peer) => peer.next(({ kind }) => kind === 'system.welcome')));
  return {
    peers,
    async [Symbol.asyncDispose]() {
      await Promise.all(peers.map((peer) => peer[Symbol.asyncDispose]()));
    },
  };
}
