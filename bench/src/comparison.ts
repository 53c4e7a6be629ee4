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

/** What is put beside bounds. */
export interface Beside {
  /** The server whose figures are divided, and those that they are divided by, as the parameters name them. */
  readonly ours: string;
  readonly bounds: readonly string[];
  /** How each figure is called then, by its unit. */
  readonly figures: Readonly<Record<string, string>>;
  /** Stands behind the name of each. */
  readonly label: string;
}

/** Figures of a server divided by those of bounds, round by round. */
export function besideBounds(
  all: readonly Samples[],
  { ours, bounds, figures, label }: Beside,
): readonly Samples[] {
  const find = (server: string, unit: string): Samples | undefined =>
    all.find((one) => one.parameters['server'] === server && one.unit === unit);
  return Object.entries(figures).flatMap(([unit, what]) =>
    bounds.flatMap((bound) => {
      const found = find(ours, unit);
      const limit = find(bound, unit);
      if (found === undefined || limit === undefined) return [];
      return {
        name: `${what} beside ${bound}, ${label}`,
        unit: '× bound',
        parameters: found.parameters,
        samples: quotients(found.samples, limit.samples),
      };
    }),
  );
}
