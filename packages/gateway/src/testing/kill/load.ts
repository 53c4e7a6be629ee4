import type { StoredOperation } from '../../delivery/batch.js';
import { answer, chat, fulfilment, proposal, withdrawal } from '../messages.js';
import { until } from '../metrics.js';
import type { Message } from '../peers/peer.js';
import { PersistentClient } from '../peers/persistent-client.js';
import type { OperationFact, OperationsHistory } from './check-operations.js';
import { drawProposal, reviewVariously } from './variety.js';

/** The participants of the load. */
export const LOAD_YAML = `dev: true
participants:
  first: { spaces: { main: ["*"] } }
  second: { spaces: { main: ["*"] } }
`;

/** Open proposals per proposer, by default. */
const OPEN = 6;

/** Two proposers, two reviewers that race for every proposal, and an executor. */
export interface Load {
  /** What everyone was told, without the journal's records. */
  history(records: readonly StoredOperation[]): OperationsHistory;
  /** Who waits for what, as text. */
  describe(): readonly string[];
  /** How many proposals were made. */
  begun(): number;
  /** How many messages the proposers have received. */
  delivered(): number;
  /** Resolves when everyone is connected, and starts. */
  begin(): Promise<void>;
  /** Stops proposing, and resolves when everything is decided and everyone has seen it. */
  rest(): Promise<void>;
  stop(): void;
}

export interface LoadOptions {
  /** One gateway, or several on one journal. */
  readonly url: string | readonly string[];
  readonly random: () => number;
  /** Open proposals per proposer. Default: 6. */
  readonly open?: number;
  /** The maximum pause of a proposer between proposals, in milliseconds. Default: none. */
  readonly pause?: number;
  /**
   * Whether some proposals expire, are reserved, or need two approvals, and some are rejected. Default:
   * false.
   */
  readonly isVaried?: boolean;
}

export function createLoad(options: LoadOptions): Load {
  const { url, random, open = OPEN, pause = 0, isVaried = false } = options;
  const made: string[] = [];
  const decided = new Set<string>();
  let loaded = true;
  let delivered = 0;
  /** What someone will do in a moment. */
  let planned = 0;

  const later = (time: number, action: () => void): void => {
    planned++;
    setTimeout(() => {
      planned--;
      action();
    }, time);
  };

  const withdraw = (client: PersistentClient, id: string): void =>
    client.send(withdrawal(`withdraw-${id}`, id));

  function propose(client: PersistentClient): void {
    if (!loaded) return;
    const id = `${client.name}-${made.length}`;
    made.push(id);
    client.send(isVaried ? drawProposal(id, random) : proposal(id));
    if (random() < 0.3) client.send(chat(`chat-${id}`, 'x'.repeat(Math.floor(random() * 2_000))));
    if (!isVaried && random() < 0.2) withdraw(client, id);
  }

  const proposers = ['alice', 'bob'].map(
    (name) =>
      new PersistentClient(name, url, (message, client) => {
        delivered++;
        const { kind, from, id } = message;
        if (isVaried && kind.startsWith('mcp.proposal.') && from === name && random() < 0.2)
          later(random() * 100, () => decided.has(id) || withdraw(client, id));
        const about = String(message.correlationId);
        if (isEnd(message)) {
          decided.add(about);
          client.forget(`withdraw-${about}`);
        }
        // A running one ends with the answer to its request; any other with its own ending.
        const isOver =
          kind.startsWith('mcp.response.') || (isEnd(message) && !kind.startsWith('mcp.request.'));
        if (!isOver || !about.includes(`${name}-`)) return;
        if (pause === 0) propose(client);
        else setTimeout(() => propose(client), random() * pause);
      }),
  );
  const reviewers = ['first', 'second'].map(
    (name) =>
      new PersistentClient(name, url, (message, client) => {
        const { kind, id } = message;
        if (isEnd(message)) client.forget(`${name}-rejects-${String(message.correlationId)}`);
        if (isVaried) reviewVariously(message, client, random);
        else if (kind.startsWith('mcp.proposal.')) client.send(fulfilment(`${name}-fulfils-${id}`, id));
      }),
  );
  const executor = new PersistentClient('tools', url, ({ kind, id }, client) => {
    if (kind.startsWith('mcp.request.')) client.send(answer(`answer-${id}`, id));
  });
  const clients = [...proposers, ...reviewers, executor];

  /** What comes too late is dropped silently (O-16); everything else is answered. */
  const isSilent = (id: string): boolean => id.startsWith('withdraw-') || id.includes('-rejects-');

  /** Everything is decided, so that messages in flight change nothing, and everyone has seen it. */
  function isAtRest(): boolean {
    if (planned > 0 || decided.size < made.length) return false;
    if (!clients.every(({ waiting }) => waiting.every(isSilent))) return false;
    const last = Math.max(...clients.map(({ lastSeq }) => lastSeq));
    return clients.every(({ lastSeq }) => lastSeq === last);
  }

  return {
    history: (records) => ({
      clients: clients.map((client) => client.history()),
      executor: executor.name,
      proposals: made,
      records: records.map(factOf),
    }),
    describe: () => [
      ...clients.map((client) => client.describe()),
      `proposals that nobody has decided: ${made.filter((id) => !decided.has(id)).join(', ') || 'none'}`,
    ],
    begun: () => made.length,
    delivered: () => delivered,
    async begin() {
      await until(() => clients.every(({ isOpen }) => isOpen));
      for (const client of proposers) for (let count = 0; count < open; count++) propose(client);
    },
    async rest() {
      loaded = false;
      if (isVaried) {
        // Those that only time would end, of which a wrong clock may have made many minutes.
        await until(() => planned === 0 && proposers.every(({ waiting }) => waiting.every(isSilent)));
        for (const client of proposers)
          for (const id of made)
            if (id.startsWith(`${client.name}-`) && !decided.has(id)) withdraw(client, id);
      }
      await until(isAtRest);
    },
    stop() {
      for (const client of clients) client.stop();
    },
  };
}

/** Whether a message says that a proposal was decided. */
function isEnd({ kind, payload, correlationId }: Message): boolean {
  if (typeof correlationId !== 'string') return false;
  if (kind === 'system.notice')
    return payload['notice'] === 'expired' || (payload['notice'] === 'declined' && payload['final'] === true);
  return kind.startsWith('mcp.request.') || kind === 'mcpx.withdraw.proposal';
}

function factOf(record: StoredOperation): OperationFact {
  const { seq, envelope, principal, type } = record;
  const fact = { seq, id: envelope.id, principal, type };
  if (!('proposal' in record.facts)) return fact;
  const about = { ...fact, proposal: record.facts.proposal };
  if (record.type === 'declined') return { ...about, isFinal: record.facts.final };
  if (record.type !== 'proposed') return about;
  const { targeting, review } = record.facts;
  return {
    ...about,
    ...(targeting?.exclusive === true ? { reservedFor: targeting.preferred } : {}),
    ...(review === undefined ? {} : { needed: review.needed }),
  };
}
