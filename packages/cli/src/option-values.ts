import { InvalidArgumentError } from 'commander';
import { parseDuration } from './terminal/visible.js';

/** The help text of `--exact`. */
export const EXACT = 'the id is complete, not the beginning of one';

/** For options that may be given several times. */
export function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

/** A duration such as `30s`, in milliseconds. */
export function durationOption(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined)
    throw new InvalidArgumentError('Give a duration, such as 30s, 5m, 2h, 1d or 250ms.');
  return milliseconds;
}

/** A `seq`: a whole number from 0. */
export function seqOption(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Give a seq: a whole number from 0.');
  return Number(text);
}

/** A count: a whole number from 1. */
export function countOption(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Use a whole number of at least 1.');
  return Number(text);
}

/** A local port; 0 means any free one. */
export function portOption(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('Give a port from 0 to 65535; 0 picks a free one.');
  return port;
}
