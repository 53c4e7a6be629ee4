import { defined } from '@proffer/core/json';
import { type Journal, type JournalPlace, openJournal } from '@proffer/journal';
import { temporaryFolder } from '../folder.js';
import { type Child, startChild } from './child.js';

/** Gateways in separate processes that share one journal; a killed one returns at the same address. */
export interface Fleet extends AsyncDisposable {
  readonly http: readonly string[];
  readonly ws: readonly string[];
  /** Kills one of them as a power cut would, and restarts it. */
  killOne(random: () => number): Promise<void>;
  /** Shuts all of them down. */
  end(): Promise<void>;
  /** The journal, once they have exited. */
  read<Value>(read: (journal: Journal) => Promise<Value>): Promise<Value>;
}

/** How to start the gateways of a test. */
export type StartFleet = (yaml?: string) => Promise<Fleet>;

/** One gateway with a journal on its disk. */
export async function startAlone(yaml?: string): Promise<Fleet> {
  const folder = await temporaryFolder();
  const fleet = await startFleet({ backend: 'local', path: folder.path }, 1, yaml);
  return {
    ...fleet,
    async [Symbol.asyncDispose]() {
      await fleet[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Several gateways on a journal that they can share. */
export async function startFleet(journal: JournalPlace, count: number, yaml?: string): Promise<Fleet> {
  const start = (port = 0): Promise<Child> => startChild({ journal, port, ...defined({ yaml }) });
  const first = await start();
  const children = [first, ...(await Promise.all(Array.from({ length: count - 1 }, () => start())))];
  return {
    http: children.map(({ http }) => http),
    ws: children.map(({ ws }) => ws),
    async killOne(random) {
      const index = Math.floor(random() * count);
      const killed = children[index] ?? first;
      await killed.kill();
      children[index] = await start(killed.port);
    },
    async end() {
      await Promise.all(
        children.map(async ({ process: child }) => {
          const exited = new Promise((resolve) => child.once('exit', resolve));
          child.kill('SIGTERM');
          await exited;
        }),
      );
    },
    async read(read) {
      const opened = await openJournal(journal);
      if (!opened.ok) throw new Error(opened.refusal.message);
      try {
        return await read(opened.value.journal);
      } finally {
        await opened.value.journal.close();
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(children.map((child) => child.kill()));
    },
  };
}
