import type { Effort, Parameters } from './benchmark.js';
import type { Samples } from './comparison.js';
import type { Rounds } from './sampling.js';

/** One figure of one round. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
}

/** One of several things that are compared, where each round waits for something and has a clock of its own. */
export interface Contestant {
  readonly parameters: Parameters;
  /** One round. Prepares what it needs before it starts its clock. */
  readonly round: () => Promise<readonly Figure[]>;
}

/** As many rounds as a full run has, or as few as are enough for less. */
export function roundsFor({ quick, smoke }: Effort, full: Rounds): Rounds {
  if (smoke) return { warmUp: 0, counted: 1 };
  return quick ? { warmUp: Math.min(1, full.warmUp), counted: Math.min(2, full.counted) } : full;
}

/**
 * Lets each have a round in turns, each time beginning with another one, so that whatever else the
 * machine does at a moment hits all of them alike. Gives the samples ordered by name.
 */
export async function measureInTurns(
  contestants: readonly Contestant[],
  rounds: Rounds,
): Promise<readonly Samples[]> {
  const found = new Map<string, Samples & { readonly samples: number[] }>();
  for (let round = 0; round < rounds.warmUp + rounds.counted; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      const index = (round + turn) % contestants.length;
      const { parameters, round: run } = contestants[index] as Contestant;
      const readings = await run();
      for (const { name, unit, value } of readings) {
        const key = `${index} ${name}`;
        const known = found.get(key) ?? { name, unit, parameters, samples: [] };
        found.set(key, known);
        if (round >= rounds.warmUp) known.samples.push(value);
      }
    }
  }
  const order = [...new Set(Array.from(found.values(), ({ name }) => name))];
  return order.flatMap((name) => contestants.flatMap((_, index) => found.get(`${index} ${name}`) ?? []));
}
