import type { Measurement, Parameters } from './benchmark.js';
import { summarise } from './statistics.js';

/** The samples of one contestant for one figure, one per round. */
export interface Samples {
  readonly name: string;
  readonly unit: string;
  readonly parameters: Parameters;
  readonly samples: readonly number[];
}

/** Compares each figure, round by round, with the first of the same name. */
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

/** Divides samples by those of the same rounds, as far as both exist. */
export function quotients(samples: readonly number[], by: readonly number[]): readonly number[] {
  return samples.slice(0, by.length).map((sample, round) => sample / (by[round] ?? Number.NaN));
}

/** What to compare with bounds. */
export interface BoundComparison {
  /** The server whose figures are divided and the servers to divide by, as named in the parameters. */
  readonly ours: string;
  readonly bounds: readonly string[];
  /** The name of each resulting figure, by unit. */
  readonly figures: Readonly<Record<string, string>>;
  /** Appended to each name. */
  readonly label: string;
}

/** Divides the figures of a server by those of the bounds, round by round. */
export function compareWithBounds(
  all: readonly Samples[],
  { ours, bounds, figures, label }: BoundComparison,
): readonly Samples[] {
  const find = (server: string, unit: string): Samples | undefined =>
    all.find((one) => one.parameters['server'] === server && one.unit === unit);
  return Object.entries(figures).flatMap(([unit, what]) =>
    bounds.flatMap((bound) => {
      const found = find(ours, unit);
      const limit = find(bound, unit);
      if (found === undefined || limit === undefined) return [];
      return {
        name: `${what} vs. ${bound}, ${label}`,
        unit: '× bound',
        parameters: found.parameters,
        samples: quotients(found.samples, limit.samples),
      };
    }),
  );
}
