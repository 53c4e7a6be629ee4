import process from 'node:process';
import type { Measurement, Parameters } from './benchmark.js';
import { compareWithFirst } from './comparison.js';

/** Times some work that consists of so many equal operations, under the name of what they are. */
export type Timer = (name: string, operations: number, work: () => void) => void;

/** One of several things that are compared. */
export interface Variant {
  readonly parameters: Parameters;
  /** One round: prepares what it needs outside of `time`, does the work inside. */
  readonly round: (time: Timer) => void;
}

/** How often: rounds to warm up, which are thrown away, and rounds that count. */
export interface Rounds {
  readonly warmUp: number;
  readonly counted: number;
}

/** What one variant took for one kind of operation: nanoseconds per operation, one entry for each round. */
export interface Series {
  readonly name: string;
  readonly parameters: Parameters;
  readonly nanoseconds: number[];
}

/**
 * Runs the variants in turns, each round beginning with another one, so that whatever else the machine
 * does at a moment hits all of them alike.
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
 * Nanoseconds of processor time, those of the collector's and the compiler's threads included. Unlike
 * the time on the wall it does not count what other processes do meanwhile; it is right only for work
 * that waits for nothing.
 */
function clock(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) * 1000;
}

/**
 * How often to do some work so that it takes long enough to be timed: one millisecond at least, after
 * it has been done for twenty, since code is slow at first.
 */
export function enough(work: () => void): number {
  for (let spent = 0; spent < 20e6; ) spent += clock(() => repeat(10, work));
  for (let times = 1; ; times *= 2) {
    if (clock(() => repeat(times, work)) >= 1e6) return times;
  }
}

/** Does something so many times. */
export function repeat(times: number, work: () => void): void {
  for (let done = 0; done < times; done++) work();
}

/** Figures with a cost in nanoseconds, each compared with the first variant of the same name. */
export function costs(series: readonly Series[], unit: string): readonly Measurement[] {
  return compare(series, unit, (nanoseconds) => nanoseconds);
}

/**
 * Figures with a speed per second, each compared with the first variant of the same name.
 *
 * @param amount - how much one operation does, in that unit
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
