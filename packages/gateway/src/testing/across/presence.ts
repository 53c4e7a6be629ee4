import { describe, expect, it } from 'vitest';
import { macpEnvelope, postEnvelope } from '../macp.js';
import { answer, chat, fulfilment, proposal } from '../messages.js';
import { until } from '../metrics.js';
import { readEvents } from '../peers/event-reader.js';
import type { Message } from '../peers/peer.js';
import type { Place, Venue } from '../places.js';

const isWelcome = ({ kind }: Message): boolean => kind === 'system.welcome';
const announcement = (id: string) => ({
  id,
  kind: 'mcpx.announce.tools',
  payload: { tools: [{ name: 'write_file' }] },
});

/** Participants connected to different gateways that know of each other. */
export function describePresence(name: string, { take }: Venue): void {
  describe(`presence, on ${name}`, () => {
    it('O-12, O-26, O-27: proposer, reviewer and executor may each be connected to a different one', async () => {
      const places = take();
      const [here, there, elsewhere] = places;
      await using agent = await here.connect('agent');
      await using reviewer = await there.connect('reviewer');
      await using tools = await elsewhere.connect('tools');
      await agent.next(({ kind, payload }) => kind === 'system.presence' && payload['event'] === 'join');
      // The welcome lists everyone, at every gateway.
      for (const place of places)
        await until(async () => (await presentAt(place)).join() === 'agent,reviewer,tools');
      await agent.say(proposal('p1'));
      await reviewer.next(({ id }) => id === 'p1');
      await reviewer.say(fulfilment('f1', 'p1'));
      await tools.next(({ id }) => id === 'f1');
      await tools.say(answer('a1', 'f1'));
      await agent.next(({ id }) => id === 'a1');
      for (const place of places) await until(async () => (await phaseOf(place, 'p1')) === 'settled');
      const order = (messages: readonly Message[]) => messages.filter(({ seq }) => seq).map(({ id }) => id);
      for (const { messages } of [agent, reviewer, tools])
        expect(order(messages)).toEqual(['p1', 'f1', 'a1']);
    });

    it('O-12: what one gateway acknowledged is known at the others at once', async () => {
      const [here, there, elsewhere] = take();
      await using tools = await elsewhere.connect('tools');
      await tools.next(isWelcome);
      await until(async () => (await presentAt(there)).includes('tools'));
      for (let round = 0; round < 20; round++) {
        expect(await here.post('agent', proposal(`p${round}`))).toMatchObject({ status: 200 });
        expect(await there.post('reviewer', fulfilment(`f${round}`, `p${round}`))).toMatchObject({
          status: 200,
        });
      }
    });

    it('O-12, O-23: a participant that serves at one gateway cannot serve at another, and counts as gone when it leaves', async () => {
      const [here, there, elsewhere] = take();
      const first = await here.connect('tools');
      await first.say(announcement('n1'));
      await using agent = await there.connect('agent');
      await until(async () => (await presentAt(elsewhere)).includes('tools'));
      await using second = await elsewhere.connect('tools');
      await expect(second.say(announcement('n2'))).rejects.toThrow(/already_serving/);
      await agent.say(proposal('p1'));
      await there.post('reviewer', fulfilment('f1', 'p1'));
      await first.next(({ id }) => id === 'f1');
      await first[Symbol.asyncDispose]();
      second.socket.close();
      await agent.next(({ kind, payload }) => kind === 'system.presence' && payload['event'] === 'leave');
      const unknown = ({ kind, payload }: Message): boolean =>
        kind === 'system.notice' && payload['notice'] === 'outcome_unknown';
      await agent.next(unknown);
      await elsewhere.post('agent', chat('last'));
      await agent.next(({ id }) => id === 'last');
      expect(agent.messages.filter(unknown)).toHaveLength(1);
    });

    it('O-12: refuses one of two that start to serve at the same moment', async () => {
      const [here, there, elsewhere] = take();
      for (let round = 0; round < 5; round++) {
        const peers = await Promise.all([here, there, elsewhere].map((place) => place.connect(`s${round}`)));
        const said = await Promise.allSettled(
          peers.map((peer, index) => peer.say(announcement(`n${round}-${index}`))),
        );
        expect(said.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        await Promise.all(peers.map((peer) => peer[Symbol.asyncDispose]()));
      }
    });

    it('O-12: a participant that stops serving at one gateway may serve at another, even if it is still connected', async () => {
      const [here, there] = take();
      await using watching = await here.connect('tools');
      await watching.next(isWelcome);
      const serving = await here.connect('tools');
      await serving.say(announcement('n1'));
      await using next = await there.connect('tools');
      await expect(next.say(announcement('n2'))).rejects.toThrow(/already_serving/);
      await serving[Symbol.asyncDispose]();
      let tries = 0;
      await expect
        .poll(() =>
          next.say(announcement(`again-${tries++}`)).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
    });

    it('O-21: directed routing delivers what is addressed to a participant from every gateway, and nothing else', async () => {
      const [here, there, elsewhere] = take();
      await using directed = await there.connect('reviewer', { routing: 'directed' });
      await directed.next(isWelcome);
      await here.post('agent', { ...chat('c1'), to: ['tools'] });
      await elsewhere.post('agent', { ...chat('c2'), to: ['reviewer'] });
      await here.post('agent', chat('c3'));
      await directed.next(({ id }) => id === 'c3');
      const got = directed.messages.filter(({ seq }) => seq !== undefined).map(({ id }) => id);
      expect(got).toEqual(['c2', 'c3']);
    });

    it('I-6: a client that resumes at another gateway misses nothing and sees nothing twice', async () => {
      const places = take();
      const [here, there, elsewhere] = places;
      const follower = await here.connect('reviewer', { after: '0' });
      for (let count = 0; count < 20; count++)
        await (places[count % 3] ?? here).post('agent', chat(`c${count}`));
      await follower.next(({ id }) => id === 'c10');
      const seen = follower.messages.filter(({ seq }) => seq !== undefined);
      const last = seen.at(-1)?.seq ?? 0;
      await follower[Symbol.asyncDispose]();
      await using again = await elsewhere.connect('reviewer', { after: String(last) });
      await there.post('agent', chat('last'));
      await again.next(({ id }) => id === 'last');
      const rest = again.messages.filter(({ seq }) => seq !== undefined);
      const names = [...seen, ...rest].map(({ id }) => id);
      expect(names).toEqual([...Array.from({ length: 20 }, (_, count) => `c${count}`), 'last']);
    });

    it('N-8: a signal reaches watchers at the others', async () => {
      const [here, there, elsewhere] = take();
      await using one = await readEvents(`${there.http}/macp/signals`, 'reviewer');
      await using two = await readEvents(`${elsewhere.http}/macp/signals`, 'reviewer');
      const payload = { signal_type: 'progress', data: '', confidence: 0.5, correlation_session_id: '' };
      const signal = { ...macpEnvelope('', 'agent', 'Signal', payload), mode: '' };
      expect(await postEnvelope(here.http, 'agent', JSON.stringify(signal))).toMatchObject({ ok: true });
      for (const reader of [one, two]) expect((await reader.next())?.data).toContain(signal.message_id);
    });
  });
}

/** Who is at a gateway, according to the welcome. */
export async function presentAt(place: Place): Promise<readonly string[]> {
  await using guest = await place.connect('guest');
  const { payload } = await guest.next(isWelcome);
  const names = (payload['participants'] as readonly { readonly id: string }[]).map(({ id }) => id);
  return names.filter((name) => name !== 'guest').sort();
}

async function phaseOf(place: Place, id: string): Promise<unknown> {
  const { body } = await place.ask(`/proposals/${id}`, 'agent');
  return (body['proposal'] as { readonly phase?: string } | undefined)?.phase;
}
