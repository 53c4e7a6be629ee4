import type { Effort, Parameters } from './benchmark.js';
import type { Samples } from './comparison.js';
import type { Rounds } from './sampling.js';

/** One figure of one round. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
}

/** One of several contestants, whose rounds wait for something and bring their own clock. */
export interface Contestant {
  readonly parameters: Parameters;
  /** One round. Prepares before it starts its clock. */
  readonly round: () => Promise<readonly Figure[]>;
}

/** The number of rounds: those of a full run, or fewer for quick and smoke runs. */
export function roundsFor({ quick, smoke }: Effort, full: Rounds): Rounds {
  if (smoke) return { warmUp: 0, counted: 1 };
  return quick ? { warmUp: Math.min(1, full.warmUp), counted: Math.min(2, full.counted) } : full;
}

/**
 * Runs the contestants in rotation, each round starting with a different one, so that other load on the
 * machine affects all of them alike. Returns the samples by name.
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
