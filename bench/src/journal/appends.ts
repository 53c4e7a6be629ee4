import { join } from 'node:path';
import process from 'node:process';
import type { RecordContent } from '@proffer/core/records';
import { type Journal, openLocalJournal } from '@proffer/journal';
import type { Benchmark, Measurement } from '../benchmark.js';
import { temporaryFolder } from '../cleanup.js';
import { compareWithFirst } from '../comparison.js';
import type { Rounds } from '../sampling.js';
import { type Contestant, type Figure, measureInTurns, roundsFor } from '../turns.js';
import { openGroupCommit } from './group-commit.js';

/** Concurrent producers, and appends per round. */
const CASES = [
  { producers: 1, count: 500 },
  { producers: 64, count: 12_000 },
  { producers: 512, count: 24_000 },
] as const;

/** Approximate bytes per record in either file. */
const RECORD = 600;

/** The journal compared with the lower bound on the same disk. */
export const appends: Benchmark = {
  name: 'journal/appends',
  about: 'durable appends per second, compared with bare group commit in the same folder',
  async measure({ quick, smoke }): Promise<readonly Measurement[]> {
    await using folder = await temporaryFolder();
    await using raw = await openGroupCommit(join(folder.path, 'raw'));
    const opened = await openLocalJournal(join(folder.path, 'journal'));
    if (!opened.ok) throw new Error(opened.refusal.message);
    const journal = opened.value;
    const bytes = Buffer.alloc(RECORD, 'x');
    const rounds = roundsFor({ quick, smoke }, { warmUp: 2, counted: 9 });
    const found: Measurement[] = [];
    for (const { producers, count } of CASES) {
      const load = { producers, count: Math.ceil(smoke ? count / 100 : quick ? count / 10 : count) };
      const contestants = [
        contestant('raw group commit', load, () => () => raw.append(bytes)),
        contestant('journal, one space', load, (index) => producer(journal, 'main', index)),
        contestant('journal, 100 spaces', load, (index) => producer(journal, `space-${index % 100}`, index)),
      ];
      found.push(...(await measureAll(contestants, rounds)));
    }
    await journal.close();
    return found;
  },
};

async function measureAll(
  contestants: readonly Contestant[],
  rounds: Rounds,
): Promise<readonly Measurement[]> {
  return compareWithFirst(await measureInTurns(contestants, rounds));
}

/** Returns a function that appends one record and resolves when it is durable. */
type Producer = (index: number) => () => Promise<void>;

export interface AppendLoad {
  readonly producers: number;
  readonly count: number;
  /** The storage, where it differs. */
  readonly on?: string;
}

/** Many producers append until there are enough records, each waiting for its own. */
export function contestant(to: string, load: AppendLoad, produce: Producer): Contestant {
  return {
    parameters: { to },
    async round(): Promise<readonly Figure[]> {
      const appends = Array.from({ length: load.producers }, (_, index) => produce(index));
      let left = load.count;
      const work = async (append: () => Promise<void>): Promise<void> => {
        while (left-- > 0) await append();
      };
      const before = process.cpuUsage();
      const start = performance.now();
      await Promise.all(appends.map(work));
      const seconds = (performance.now() - start) / 1000;
      const { user, system } = process.cpuUsage(before);
      const named = (what: string): string =>
        [what, `${load.producers} ${load.producers === 1 ? 'producer' : 'producers'}`, load.on ?? []]
          .flat()
          .join(', ');
      return [
        { name: named('appends'), unit: 'appends/s', value: load.count / seconds },
        { name: named('CPU'), unit: 'ns/append', value: ((user + system) * 1000) / load.count },
      ];
    },
  };
}

let streams = 0;

/** Each producer has its own stream, new in each round. */
export function producer(journal: Journal, space: string, index: number): () => Promise<void> {
  const stream = `${space}/proposal/p-${streams++}-${index}`;
  let version = 0;
  return async () => {
    const outcome = await journal.append(stream, version, [content(`${stream}-${version}`)]);
    if (outcome.status !== 'appended') throw new Error(JSON.stringify(outcome));
    version++;
  };
}

/** With the fields that the journal adds (stream, version, seq, hashes) this is about 600 bytes. */
function content(id: string): RecordContent {
  const text = 'The quarterly figures, as agreed on Monday. '.repeat(4).slice(0, 142);
  return {
    type: 'said',
    time: 1_700_000_000_000,
    principal: 'agent',
    envelope: { id, kind: 'chat.message', payload: { text } },
    facts: {},
  };
}
