import { answer, chat, fulfilment, proposal, withdrawal } from '../messages.js';
import { until } from '../metrics.js';
import type { Message } from '../peers/peer.js';
import { PersistentClient } from '../peers/persistent-client.js';

/** The participants of the load. */
export const LOAD_YAML = `dev: true
participants:
  first: { spaces: { main: ["*"] } }
  second: { spaces: { main: ["*"] } }
`;

/** Proposals that each proposer has open at one time. */
const OPEN = 6;

/** Two proposers, two reviewers that race for every proposal, and an executor. */
export interface Load {
  readonly clients: readonly PersistentClient[];
  readonly executor: PersistentClient;
  /** Proposals that were made, whatever became of them. */
  readonly proposals: readonly string[];
  /** How many messages the proposers have got. */
  delivered(): number;
  /** Settles when everybody is connected, and begins. */
  begin(): Promise<void>;
  /** Proposes nothing more, and settles when everything is decided and everybody has seen it. */
  rest(): Promise<void>;
  stop(): void;
}

/** @param url - one gateway, or several on one journal */
export function createLoad(url: string | readonly string[], random: () => number): Load {
  const made: string[] = [];
  let loaded = true;
  let delivered = 0;

  function propose(client: PersistentClient): void {
    if (!loaded) return;
    const id = `${client.name}-${made.length}`;
    made.push(id);
    client.send(proposal(id));
    if (random() < 0.3) client.send(chat(`chat-${id}`, 'x'.repeat(Math.floor(random() * 2_000))));
    if (random() < 0.2) client.send(withdrawal(`withdraw-${id}`, id));
  }

  const isDone = ({ kind }: Message): boolean =>
    kind.startsWith('mcp.response.') || kind === 'mcpx.withdraw.proposal';
  const proposers = ['alice', 'bob'].map(
    (name) =>
      new PersistentClient(name, url, (message, client) => {
        delivered++;
        const about = String(message.correlationId);
        if (isDone(message) && about.includes(`${name}-`)) propose(client);
      }),
  );
  const reviewers = ['first', 'second'].map(
    (name) =>
      new PersistentClient(name, url, ({ kind, id }, client) => {
        if (kind.startsWith('mcp.proposal.')) client.send(fulfilment(`${name}-fulfils-${id}`, id));
      }),
  );
  const executor = new PersistentClient('tools', url, ({ kind, id }, client) => {
    if (kind.startsWith('mcp.request.')) client.send(answer(`answer-${id}`, id));
  });
  const clients = [...proposers, ...reviewers, executor];
  return {
    clients,
    executor,
    proposals: made,
    delivered: () => delivered,
    async begin() {
      await until(() => clients.every(({ isOpen }) => isOpen));
      for (const client of proposers) for (let count = 0; count < OPEN; count++) propose(client);
    },
    async rest() {
      loaded = false;
      const isHeard =
        ({ acknowledged, refused }: PersistentClient) =>
        (id: string) =>
          acknowledged.has(id) || refused.has(id);
      // A withdrawal that comes too late is passed over in silence (O-16); everything else is answered.
      await until(() => clients.every(({ waiting }) => waiting.every((id) => id.startsWith('withdraw-'))));
      await until(() =>
        reviewers.every((one) => made.every((id) => isHeard(one)(`${one.name}-fulfils-${id}`))),
      );
      // Each sees them in order.
      const last = Math.max(...clients.map(({ seen }) => seen.at(-1)?.seq ?? 0));
      await until(() => clients.every(({ seen }) => seen.at(-1)?.seq === last));
    },
    stop() {
      for (const client of clients) client.stop();
    },
  };
}
