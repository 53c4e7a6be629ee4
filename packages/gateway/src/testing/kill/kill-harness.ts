import type { StoredOperation } from '../../delivery/batch.js';
import { openJournal, temporaryFolder } from '../folder.js';
import { answer, chat, fulfilment, proposal, withdrawal } from '../messages.js';
import { until } from '../metrics.js';
import type { Message } from '../peers/peer.js';
import { PersistentClient } from '../peers/persistent-client.js';
import { createRandom } from '../random.js';
import { type Child, startChild } from './child.js';

const YAML = `dev: true
participants:
  first: { spaces: { main: ["*"] } }
  second: { spaces: { main: ["*"] } }
`;

/** Proposals that each proposer has open at one time. */
const OPEN = 6;

/** What is left after a gateway was killed again and again under load. */
export interface Aftermath {
  readonly clients: readonly PersistentClient[];
  readonly executor: PersistentClient;
  /** Everything in the journal. */
  readonly records: readonly StoredOperation[];
  /** What is wrong with the journal itself. */
  readonly faults: readonly unknown[];
  /** Proposals that were made, whatever became of them. */
  readonly proposals: readonly string[];
}

/**
 * Runs a gateway on a local journal in a process of its own, with two proposers, two reviewers that race
 * for every proposal, and an executor; kills it so many times at random moments, and starts it again on
 * the same folder and port. Then lets everything come to rest.
 */
export async function killAgainAndAgain(kills: number, seed: number): Promise<Aftermath> {
  const random = createRandom(seed);
  await using folder = await temporaryFolder();
  const start = (port?: number): Promise<Child> =>
    startChild({
      folder: folder.path,
      yaml: YAML,
      ...(port === undefined ? {} : { port }),
    });
  let child = await start();
  const { port, ws } = child;
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
      new PersistentClient(name, ws, (message, client) => {
        delivered++;
        const about = String(message.correlationId);
        if (isDone(message) && about.includes(`${name}-`)) propose(client);
      }),
  );
  const reviewers = ['first', 'second'].map(
    (name) =>
      new PersistentClient(name, ws, ({ kind, id }, client) => {
        if (kind.startsWith('mcp.proposal.')) client.send(fulfilment(`${name}-fulfils-${id}`, id));
      }),
  );
  const executor = new PersistentClient('tools', ws, ({ kind, id }, client) => {
    if (kind.startsWith('mcp.request.')) client.send(answer(`answer-${id}`, id));
  });
  const clients = [...proposers, ...reviewers, executor];
  try {
    await until(() => clients.every(({ isOpen }) => isOpen));
    for (const client of proposers) for (let count = 0; count < OPEN; count++) propose(client);
    for (let count = 0; count < kills; count++) {
      const goal = delivered + Math.floor(random() * 400);
      await until(() => delivered >= goal);
      await child.kill();
      child = await start(port);
    }
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
    const last = Math.max(...clients.flatMap(({ seen }) => seen.map(({ seq }) => seq ?? 0)));
    await until(() => clients.every(({ seen }) => seen.at(-1)?.seq === last));
    const exited = new Promise((resolve) => child.process.once('exit', resolve));
    child.process.kill('SIGTERM');
    await exited;
  } finally {
    for (const client of clients) client.stop();
    await child.kill();
  }
  const journal = await openJournal(folder.path);
  const records: StoredOperation[] = [];
  for await (const record of journal.feed('main', 0, { follow: false }))
    records.push(record as StoredOperation);
  const { faults } = await journal.verify();
  await journal.close();
  return { clients, executor, records, faults, proposals: made };
}
