import { setTimeout as wait } from 'node:timers/promises';
import { connect, type Participant } from '@proffer/client';
import { createHttpClient } from '@proffer/client/http';
import { devAgent, grpcTransport, MacpClient, ProposalSession } from '@proffer/client/negotiation';
import { textOf } from '@proffer/core/json';
import { vi } from 'vitest';

/** The addresses of the gateways to restart; each client starts with a different one. */
export interface UpgradedGateways {
  readonly urls: readonly string[];
  readonly targets: readonly string[];
}

/** What clients did and saw. */
export interface UpgradeReport {
  /** What agents asked for, and what ran, in order. */
  readonly asked: readonly string[];
  readonly ran: readonly string[];
  /** Texts that scripts sent, and that a listener received, in order. */
  readonly sent: readonly string[];
  readonly heard: readonly string[];
  /** How each session ended. */
  readonly sessions: readonly string[];
  readonly reconnects: number;
}

export interface UpgradeLoad {
  /** Waits for work in flight; rejects with the first failure of any client. */
  finish(): Promise<UpgradeReport>;
}

/**
 * Agents propose, a reviewer approves, an executor runs, scripts talk and parties negotiate, each starting at
 * a different gateway.
 *
 * @param pause - milliseconds between actions
 */
export async function startUpgradeLoad(
  { urls, targets }: UpgradedGateways,
  { pause }: { readonly pause: number },
): Promise<UpgradeLoad> {
  const asked: string[] = [];
  const ran: string[] = [];
  const sent: string[] = [];
  const heard: string[] = [];
  const sessions: string[] = [];
  let reconnects = 0;
  const over = new AbortController();
  const from = (list: readonly string[], index: number) => [...list.slice(index), ...list.slice(0, index)];
  const join = async (token: string, index: number): Promise<Participant> => {
    const participant = await connect({ url: from(urls, index), token, space: 'main' });
    participant.on('disconnected', () => reconnects++);
    return participant;
  };

  const tools = await join('runner', 0);
  await tools.serve([{ name: 'note', handler: ({ text }) => `noted ${ran.push(textOf(text))}` }]);
  const reviewer = await join('reviewer', 1);
  reviewer.onProposal(({ fulfil }) => fulfil());
  const listener = await join('listener', 2);
  listener.on('message', ({ kind, payload }) => {
    if (kind === 'chat.message') heard.push(textOf(payload['text']));
  });
  const agent = await join('agent', 2);

  async function propose(): Promise<void> {
    for (let number = 0; !over.signal.aborted; number++) {
      const text = `call ${number}`;
      asked.push(text);
      await agent.propose('tools/call', { name: 'note', arguments: { text } });
      await wait(pause);
    }
  }

  async function talk(): Promise<void> {
    const script = createHttpClient({ url: from(urls, 1), space: 'main', token: 'script' });
    for (let number = 0; !over.signal.aborted; number++) {
      const text = `line ${number}`;
      await script.send({ kind: 'chat.message', payload: { text } });
      sent.push(text);
      await wait(pause);
    }
  }

  async function bargain(): Promise<void> {
    const clientOf = (sender: string, index: number): MacpClient =>
      new MacpClient({
        transport: grpcTransport({ target: from(targets, index) }),
        auth: devAgent(sender),
      });
    const buyer = clientOf('buyer', 0);
    const seller = clientOf('seller', 1);
    while (!over.signal.aborted) {
      const session = new ProposalSession(buyer);
      await session.start({ intent: 'a contract', participants: ['buyer', 'seller'], ttlMs: 120_000 });
      const other = await ProposalSession.join(seller, session.sessionId);
      await session.propose('p1', 'an offer');
      await other.accept('p1');
      await session.accept('p1');
      await session.commit({ action: 'agreed', authorityScope: 'all', reason: 'both agree' });
      sessions.push(session.projection.phase);
      await Promise.all([session.close(), other.close()]);
      await wait(pause);
    }
    await Promise.all([buyer.close(), seller.close()]);
  }

  const working = Promise.all([propose(), talk(), bargain()]);
  // The waiting client gets the error.
  working.catch(() => {});
  return {
    async finish() {
      over.abort();
      await working;
      await vi.waitUntil(() => heard.length >= sent.length, { timeout: 20_000 });
      await Promise.all([agent, reviewer, tools, listener].map((one) => one.close()));
      return { asked, ran, sent, heard, sessions, reconnects };
    },
  };
}
