import type { StoredOperation } from '../../delivery/batch.js';
import { answer, chat, fulfilment, proposal, withdrawal } from '../messages.js';
import { until } from '../metrics.js';
import type { Message } from '../peers/peer.js';
import { PersistentClient } from '../peers/persistent-client.js';
import type { OperationsHistory } from './check-operations.js';

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
  /** What everybody was told, beside the records of the journal. */
  history(records: readonly StoredOperation[]): OperationsHistory;
  /** Who waits for what, for people. */
  describe(): readonly string[];
  /** How many messages the proposers have got. */
  delivered(): number;
  /** Settles when everybody is connected, and begins. */
  begin(): Promise<void>;
  /** Proposes nothing more, and settles when everything is decided and everybody has seen it. */
  rest(): Promise<void>;
  stop(): void;
}

export interface LoadOptions {
  /** One gateway, or several on one journal. */
  readonly url: string | readonly string[];
  readonly random: () => number;
  /** How long a proposer waits at most before it proposes again, in milliseconds. Default not at all. */
  readonly pause?: number;
}

export function createLoad({ url, random, pause = 0 }: LoadOptions): Load {
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
        if (!isDone(message) || !about.includes(`${name}-`)) return;
        if (pause === 0) propose(client);
        else setTimeout(() => propose(client), random() * pause);
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
    history: (records) => ({
      clients: clients.map((client) => client.history()),
      executor: executor.name,
      proposals: made,
      records: records.map((record) => ({
        seq: record.seq,
        id: record.envelope.id,
        principal: record.principal,
        type: record.type,
        ...(record.type === 'fulfilled' || record.type === 'withdrawn'
          ? { proposal: record.facts.proposal }
          : {}),
      })),
    }),
    describe: () => clients.map((client) => client.describe()),
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
