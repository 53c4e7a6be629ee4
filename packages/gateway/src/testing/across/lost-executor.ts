import { describe, expect, it } from 'vitest';
import { answer, chat, fulfilment, proposal } from '../messages.js';
import { until } from '../metrics.js';
import type { Message, Peer } from '../peers/peer.js';
import type { Place, Venue } from '../places.js';

const isUnknown = ({ kind, payload }: Message): boolean =>
  kind === 'system.notice' && payload['notice'] === 'outcome_unknown';

const announcement = (id: string) => ({
  id,
  kind: 'mcpx.announce.tools',
  payload: { tools: [{ name: 'write_file' }] },
});

/** An executor's lost connection, wherever it and the others are connected. */
export function describeLostExecutor(name: string, { take }: Venue): void {
  describe(`executor that loses its connection, on ${name}`, () => {
    it('O-26: is not chosen, and the proposal can be fulfilled when it is back', async () => {
      const [here, there, elsewhere] = take();
      await using agent = await here.connect('agent');
      await using reviewer = await there.connect('reviewer');
      const tools = await elsewhere.connect('tools');
      await tools.say(announcement('n1'));
      await agent.say(proposal('p1'));
      await lose(tools, there);

      await expect(reviewer.say(fulfilment('f1', 'p1'))).rejects.toThrow(
        /"executor_absent".*tools.*, which would run it, is not connected\. Try again when the participant that would run it has connected again/,
      );
      expect((await here.ask('/proposals/p1', 'agent')).body).toMatchObject({
        proposal: { phase: 'pending' },
      });

      await using back = await here.connect('tools');
      await until(() => isConnected(there, 'p1'));
      await reviewer.say(fulfilment('f2', 'p1'));
      await back.next(({ id }) => id === 'f2');
      await back.say(answer('a1', 'f2'));
      expect((await here.ask('/proposals/p1', 'agent')).body).toMatchObject({
        proposal: { phase: 'settled', outcome: { result: 'ok' } },
      });
    });

    it('O-26: is replaced by another that serves the same tool only if the approver saw that', async () => {
      const [here, there, elsewhere] = take();
      await using agent = await here.connect('agent');
      await using reviewer = await there.connect('reviewer');
      const first = await elsewhere.connect('first');
      await first.say(announcement('n1'));
      await using second = await here.connect('second');
      await agent.say(proposal('p1'));
      await lose(first, there);
      await second.say(announcement('n2'));
      await expect(reviewer.say(fulfilment('f1', 'p1', []))).rejects.toThrow(/"executor_absent"/);
      await expect
        .poll(() => reviewer.say(fulfilment('f2', 'p1', ['second'])).catch(String))
        .toContain('new_executor');
      const { payload, ...request } = fulfilment('f3', 'p1', ['second']);
      await reviewer.say({ ...request, payload: { ...payload, seen: { insteadOf: 'first' } } });
      expect((await second.next(({ id }) => id === 'f3')).to).toEqual(['second']);
      // From then on it is known, wherever others are connected.
      await agent.say(proposal('p2'));
      expect(await elsewhere.post('reviewer', fulfilment('f4', 'p2', ['second']))).toMatchObject({
        status: 200,
      });
      expect((await second.next(({ id }) => id === 'f4')).to).toEqual(['second']);
    });

    it('O-23: continues a running call when it is back soon', async () => {
      const [here, there, elsewhere] = take();
      await using agent = await here.connect('agent');
      await using reviewer = await there.connect('reviewer');
      const tools = await elsewhere.connect('tools');
      await tools.say(announcement('n1'));
      await agent.say(proposal('p1'));
      await agent.say(proposal('p2'));
      await until(() => isConnected(there, 'p1'));
      await reviewer.say(fulfilment('f1', 'p1'));
      await tools.next(({ id }) => id === 'f1');
      await lose(tools, there, 'p2');
      await using back = await here.connect('tools');
      await back.say(answer('a1', 'f1'));
      await agent.say(chat('c1'));
      expect((await here.ask('/proposals/p1', 'agent')).body).toMatchObject({
        proposal: { phase: 'settled', outcome: { result: 'ok' } },
      });
      expect(agent.messages.filter(isUnknown)).toEqual([]);
    });
  });
}

/** Whether a proposal's executor is connected, as far as a gateway knows. */
async function isConnected(place: Place, id: string): Promise<boolean> {
  const { body } = await place.ask(`/proposals/${id}`, 'agent');
  const { wouldRun } = body['proposal'] as { readonly wouldRun?: { readonly isConnected: boolean } };
  return wouldRun?.isConnected === true;
}

/** Cuts a connection, and resolves when a gateway knows that the proposal's executor is gone. */
async function lose(peer: Peer, place: Place, id = 'p1'): Promise<void> {
  await until(() => isConnected(place, id));
  peer.socket.terminate();
  await until(async () => !(await isConnected(place, id)));
}
