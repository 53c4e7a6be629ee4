import type { Benchmark, Measurement, Parameters } from '../benchmark.js';
import { type TemporaryFolder, temporaryFolder } from '../cleanup.js';
import { compareWithFirst, type Samples } from '../comparison.js';
import { type Contestant, type Figure, measureInTurns, roundsFor } from '../turns.js';
import { makeHistory } from './driver/history.js';
import { BARE, guardIn, type Started, start } from './driver/started.js';

/** Idle time before memory is measured, in milliseconds. */
const IDLE = 5_000;

/** What a guard adds to the start of a server, and its memory when idle. */
export const starts: Benchmark = {
  name: 'guard/start',
  about: 'from starting a process to its first answers: a bare server, the first guard, one that joins it',
  async measure({ quick, smoke }): Promise<readonly Measurement[]> {
    const calls = smoke ? 5 : quick ? 300 : 3000;
    await using none = await temporaryFolder();
    await using history = await temporaryFolder();
    await makeHistory(history.path, calls);
    const idle = smoke ? 0 : IDLE;
    const contestants = [
      contestant({ server: 'bare' }, () => timed(BARE)),
      ...[none, history].flatMap((folder, index) => {
        const about = { calls: index * calls };
        return [
          contestant({ server: 'first guard', ...about }, () => timed(guardIn(folder.path), idle)),
          contestant({ server: 'joining guard', ...about }, () => joining(folder, idle)),
        ];
      }),
    ];
    const rounds = roundsFor({ quick, smoke }, { warmUp: 1, counted: 5 });
    const samples = await measureInTurns(contestants, rounds);
    return [...compareWithFirst(samples), ...compareWithFirst(added(samples))];
  },
};

function contestant(parameters: Parameters, round: Contestant['round']): Contestant {
  return { parameters, round };
}

/** Starts a process, measures it and ends it. */
async function timed(command: readonly string[], idle?: number): Promise<readonly Figure[]> {
  await using started = await start(command);
  return await figuresOf(started, idle);
}

async function joining({ path }: TemporaryFolder, idle: number): Promise<readonly Figure[]> {
  await using first = await start(guardIn(path));
  await first.call();
  return await timed(guardIn(path), idle);
}

async function figuresOf(started: Started, idle: number | undefined): Promise<readonly Figure[]> {
  const { initialized, listed, cpu } = started;
  const called = await started.call();
  const figures: Figure[] = [
    { name: 'initialize answered', unit: 'ms', value: initialized },
    { name: 'tools listed', unit: 'ms', value: listed },
    { name: 'first call answered', unit: 'ms', value: called },
    { name: 'CPU until tools were listed', unit: 'ms', value: cpu },
  ];
  if (idle === undefined) return figures;
  await new Promise((resolve) => setTimeout(resolve, idle));
  return [...figures, { name: 'RSS when idle', unit: 'MiB', value: await started.rss() }];
}

/** The difference to the bare server, round by round. */
function added(samples: readonly Samples[]): readonly Samples[] {
  return samples.flatMap((one) => {
    const bare = samples.find(({ name, parameters }) => name === one.name && parameters['server'] === 'bare');
    if (bare === undefined || bare === one || one.unit !== 'ms') return [];
    const more = one.samples.map((value, round) => value - (bare.samples[round] ?? Number.NaN));
    return [{ ...one, name: `${one.name}, added`, samples: more }];
  });
}
