import process from 'node:process';
import type { Measurement, Parameters } from './benchmark.js';
import { compareWithFirst } from './comparison.js';

/** Times a number of equal operations, under the given name. */
export type Timer = (name: string, operations: number, work: () => void) => void;

/** One of several alternatives to compare. */
export interface Variant {
  readonly parameters: Parameters;
  /** One round: prepares outside `time`, does the work inside. */
  readonly round: (time: Timer) => void;
}

/** The number of warm-up rounds, which are dropped, and of counted rounds. */
export interface Rounds {
  readonly warmUp: number;
  readonly counted: number;
}

/** The cost of one operation in one variant: nanoseconds per operation, one entry per round. */
export interface Series {
  readonly name: string;
  readonly parameters: Parameters;
  readonly nanoseconds: number[];
}

/**
 * Runs the variants in rotation, each round starting with a different one, so that other load on the machine
 * affects all of them alike.
 */
export function sampleInTurns(variants: readonly Variant[], rounds: Rounds): readonly Series[] {
  const found = new Map<string, Series>();
  for (let round = 0; round < rounds.warmUp + rounds.counted; round++) {
    for (let turn = 0; turn < variants.length; turn++) {
      const index = (round + turn) % variants.length;
      const { parameters, round: run } = variants[index] as Variant;
      run((name, operations, work) => {
        const nanoseconds = clock(work) / operations;
        const key = `${index} ${name}`;
        const series = found.get(key) ?? { name, parameters, nanoseconds: [] };
        found.set(key, series);
        if (round >= rounds.warmUp) series.nanoseconds.push(nanoseconds);
      });
    }
  }
  const order = [...new Set(Array.from(found.values(), ({ name }) => name))];
  return order.flatMap((name) => variants.flatMap((_, index) => found.get(`${index} ${name}`) ?? []));
}

/**
 * CPU time in nanoseconds, including the threads of the garbage collector and the compiler. Unlike wall time,
 * it leaves out other processes; it is right only for work that never waits.
 */
function clock(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) * 1000;
}

/**
 * How often to repeat some work so that it can be timed: at least one millisecond, after 20 milliseconds of
 * warm-up.
 */
export function enough(work: () => void): number {
  for (let spent = 0; spent < 20e6; ) spent += clock(() => repeat(10, work));
  for (let times = 1; ; times *= 2) {
    if (clock(() => repeat(times, work)) >= 1e6) return times;
  }
}

/** Repeats an action. */
export function repeat(times: number, work: () => void): void {
  for (let done = 0; done < times; done++) work();
}

/** Costs in nanoseconds, each compared with the first variant of the same name. */
export function costs(series: readonly Series[], unit: string): readonly Measurement[] {
  return compare(series, unit, (nanoseconds) => nanoseconds);
}

/**
 * Rates per second, each compared with the first variant of the same name.
 *
 * @param amount - units per operation
 */
export function speeds(series: readonly Series[], unit: string, amount = 1): readonly Measurement[] {
  return compare(series, unit, (nanoseconds) => (amount * 1e9) / nanoseconds);
}

function compare(
  series: readonly Series[],
  unit: string,
  convert: (nanoseconds: number) => number,
): readonly Measurement[] {
  return compareWithFirst(
    series.map(({ name, parameters, nanoseconds }) => ({
      name,
      unit,
      parameters,
      samples: nanoseconds.map(convert),
    })),
  );
}
