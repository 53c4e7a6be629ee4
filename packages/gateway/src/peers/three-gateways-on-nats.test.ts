import { type NatsServers, startNatsServers } from '@proffer/journal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answer, chat, fulfilment, proposal } from '../testing/messages.js';
import { until } from '../testing/metrics.js';
import { startOnNats } from '../testing/on-nats.js';
import { ask, post } from '../testing/peers/http.js';
import { connectPeer, type Message } from '../testing/peers/peer.js';
import type { TestGateway } from '../testing/test-gateway.js';

let servers: NatsServers;
let made = 0;

beforeAll(async () => {
  servers = await startNatsServers({ count: 3 });
});
afterAll(() => servers[Symbol.asyncDispose]());

/** Three gateways on one journal; closed with `await using`. */
async function startThree(yaml = 'dev: true'): Promise<readonly TestGateway[] & AsyncDisposable> {
  const stream = `three-${made++}`;
  const start = () => startOnNats({ servers: servers.urls, stream }, { yaml });
  const gateways = [await start(), await start(), await start()];
  return Object.assign(gateways, {
    async [Symbol.asyncDispose]() {
      await Promise.all(gateways.map(({ gateway }) => gateway.close()));
    },
  });
}

const at = (gateways: readonly TestGateway[], index: number): TestGateway => gateways[index] as TestGateway;
const isWelcome = ({ kind }: Message): boolean => kind === 'system.welcome';
const phaseOf = async ({ http }: TestGateway, id: string): Promise<unknown> => {
  const { body } = await ask(`${http}/spaces/main/proposals/${id}`, 'agent');
  return (body['proposal'] as { readonly phase?: string } | undefined)?.phase;
};

describe('three gateways on three NATS servers', () => {
  it('O-12, O-26: proposer, reviewer and executor may each be connected to another one', async () => {
    await using gateways = await startThree();
    await using agent = await connectPeer(at(gateways, 0).ws, 'agent');
    await using reviewer = await connectPeer(at(gateways, 1).ws, 'reviewer');
    await using tools = await connectPeer(at(gateways, 2).ws, 'tools');
    // Who is connected elsewhere is seen here.
    await agent.next(({ kind, payload }) => kind === 'system.presence' && payload['event'] === 'join');
    await until(async () => (await presentAt(at(gateways, 1))).includes('tools'));
    await agent.say(proposal('p1'));
    await reviewer.next(({ id }) => id === 'p1');
    await reviewer.say(fulfilment('f1', 'p1'));
    await tools.next(({ id }) => id === 'f1');
    await tools.say(answer('a1', 'f1'));
    await agent.next(({ id }) => id === 'a1');
    for (const gateway of gateways) await until(async () => (await phaseOf(gateway, 'p1')) === 'settled');
    const order = (messages: readonly Message[]) => messages.filter(({ seq }) => seq).map(({ id }) => id);
    for (const { messages } of [agent, reviewer, tools]) expect(order(messages)).toEqual(['p1', 'f1', 'a1']);
  });

  it('I-2, O-12: of many fulfilments at all three, one is let through and runs once', async () => {
    await using gateways = await startThree();
    await using agent = await connectPeer(at(gateways, 0).ws, 'agent');
    await using tools = await connectPeer(at(gateways, 1).ws, 'tools');
    await Promise.all([agent.next(isWelcome), tools.next(isWelcome)]);
    for (const gateway of gateways) await until(async () => (await presentAt(gateway)).includes('tools'));
    for (let round = 0; round < 10; round++) {
      await agent.say(proposal(`p${round}`));
      const tries = Array.from({ length: 6 }, (_, index) =>
        post(at(gateways, index % 3).http, 'reviewer', fulfilment(`p${round}-${index}`, `p${round}`)),
      );
      const answers = await Promise.all(tries);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const { status, code } of answers) if (status !== 200) expect(code).toBe('proposal_not_pending');
    }
    await agent.say(chat('last'));
    await tools.next(({ id }) => id === 'last');
    const ran = tools.messages.filter(({ kind }) => kind.startsWith('mcp.request.'));
    expect(ran.map(({ correlationId }) => correlationId)).toEqual(
      Array.from({ length: 10 }, (_, round) => `p${round}`),
    );
  });

  it('O-12: what one gateway acknowledged is known at the others at once', async () => {
    await using gateways = await startThree();
    await using tools = await connectPeer(at(gateways, 2).ws, 'tools');
    await tools.next(isWelcome);
    await until(async () => (await presentAt(at(gateways, 1))).includes('tools'));
    for (let round = 0; round < 20; round++) {
      expect(await post(at(gateways, 0).http, 'agent', proposal(`p${round}`))).toMatchObject({ status: 200 });
      const approved = await post(at(gateways, 1).http, 'reviewer', fulfilment(`f${round}`, `p${round}`));
      expect(approved).toMatchObject({ status: 200 });
    }
  });

  it('O-19, I-2: what is due is said once, also when the gateway that took it is gone', async () => {
    await using gateways = await startThree();
    await using reviewer = await connectPeer(at(gateways, 1).ws, 'reviewer');
    await reviewer.next(isWelcome);
    for (let count = 0; count < 10; count++)
      await post(at(gateways, 0).http, 'agent', proposal(`p${count}`, { ttl: 1_000 }));
    await at(gateways, 0).gateway.close();
    for (let count = 0; count < 10; count++)
      await reviewer.next(
        ({ kind, correlationId }) => kind === 'system.notice' && String(correlationId) === `p${count}`,
      );
    await post(at(gateways, 2).http, 'agent', chat('last'));
    await reviewer.next(({ id }) => id === 'last');
    const notices = reviewer.messages.filter(({ kind }) => kind === 'system.notice');
    expect(notices.map(({ correlationId }) => String(correlationId)).sort()).toEqual(
      Array.from({ length: 10 }, (_, count) => `p${count}`).sort(),
    );
  });

  it('O-12, O-23: who serves at one gateway cannot serve at another, and counts as gone when it is', async () => {
    await using gateways = await startThree();
    const announcement = (id: string) => ({
      id,
      kind: 'mcpx.announce.tools',
      payload: { tools: [{ name: 'write_file' }] },
    });
    const first = await connectPeer(at(gateways, 0).ws, 'tools');
    await first.say(announcement('n1'));
    await using agent = await connectPeer(at(gateways, 1).ws, 'agent');
    await until(async () => (await presentAt(at(gateways, 2))).includes('tools'));
    await using second = await connectPeer(at(gateways, 2).ws, 'tools');
    await expect(second.say(announcement('n2'))).rejects.toThrow(/already_serving/);
    await agent.say(proposal('p1'));
    await post(at(gateways, 1).http, 'reviewer', fulfilment('f1', 'p1'));
    await first.next(({ id }) => id === 'f1');
    await first[Symbol.asyncDispose]();
    second.socket.close();
    await agent.next(({ kind, payload }) => kind === 'system.presence' && payload['event'] === 'leave');
    const unknown = ({ kind, payload }: Message): boolean =>
      kind === 'system.notice' && payload['notice'] === 'outcome_unknown';
    await agent.next(unknown);
    await post(at(gateways, 2).http, 'agent', chat('last'));
    await agent.next(({ id }) => id === 'last');
    expect(agent.messages.filter(unknown)).toHaveLength(1);
  });

  it('I-6: a client that resumes at another gateway misses nothing and sees nothing twice', async () => {
    await using gateways = await startThree();
    const follower = await connectPeer(at(gateways, 0).ws, 'reviewer', { after: '0' });
    for (let count = 0; count < 20; count++)
      await post(at(gateways, count % 3).http, 'agent', chat(`c${count}`));
    await follower.next(({ id }) => id === 'c10');
    const seen = follower.messages.filter(({ seq }) => seq !== undefined);
    const last = seen.at(-1)?.seq ?? 0;
    await follower[Symbol.asyncDispose]();
    await using again = await connectPeer(at(gateways, 2).ws, 'reviewer', { after: String(last) });
    await post(at(gateways, 1).http, 'agent', chat('last'));
    await again.next(({ id }) => id === 'last');
    const rest = again.messages.filter(({ seq }) => seq !== undefined);
    const names = [...seen, ...rest].map(({ id }) => id);
    expect(names).toEqual([...Array.from({ length: 20 }, (_, count) => `c${count}`), 'last']);
  });
});

/** Who is at a gateway, as it tells somebody who comes. */
async function presentAt({ ws }: TestGateway): Promise<readonly string[]> {
  await using guest = await connectPeer(ws, 'guest');
  const { payload } = await guest.next(isWelcome);
  return (payload['participants'] as readonly { readonly id: string }[]).map(({ id }) => id);
}
