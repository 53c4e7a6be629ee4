import type { Measurement, Parameters } from './benchmark.js';
import { summarise } from './statistics.js';

/** What one of several things that are compared gave for one figure: one sample for each round. */
export interface Samples {
  readonly name: string;
  readonly unit: string;
  readonly parameters: Parameters;
  readonly samples: readonly number[];
}

/** Figures, each compared round by round with the first of the same name. */
export function compareWithFirst(all: readonly Samples[]): readonly Measurement[] {
  return all.map(({ name, unit, parameters, samples }) => {
    const { median, spread } = summarise(samples);
    const figure = { name, value: median, unit, parameters, spread };
    const first = all.find((candidate) => candidate.name === name);
    if (first === undefined || first.parameters === parameters) return figure;
    const ratio = summarise(quotients(samples, first.samples));
    return { ...figure, ratio: { value: ratio.median, to: first.parameters, ...ratio.spread } };
  });
}

/** Samples divided by others of the same rounds, as far as both have them. */
export function quotients(samples: readonly number[], by: readonly number[]): readonly number[] {
  return samples.slice(0, by.length).map((sample, round) => sample / (by[round] ?? Number.NaN));
}
