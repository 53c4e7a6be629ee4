import type { Parsed } from '@proffer/reading';
import type { Field } from './field.js';
import { scalar } from './scalar.js';

const DURATION_UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

const SIZE_UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['B', 1],
  ['kB', 1000],
  ['KiB', 1024],
  ['MB', 1_000_000],
  ['MiB', 1_048_576],
  ['GB', 1_000_000_000],
  ['GiB', 1_073_741_824],
]);

/** How often something may happen: `count` times in every `period` (ms), at most `count` at once. */
export interface Rate {
  readonly count: number;
  readonly period: number;
}

/** A duration: `30s`, `10m`, `1.5h`, `7d`, `250ms`, or a number of milliseconds. Read as milliseconds. */
export function duration(least: number, most: number): Field<number> {
  const expected = `a duration from ${formatDuration(least)} to ${formatDuration(most)}, such as 30s, 10m, 7d or 1500 (ms)`;
  return scalar((found) => inBounds(parseQuantity(found, DURATION_UNITS), least, most, expected), expected);
}

/** A size: `512KiB`, `1MiB`, `1.5MB`, or a number of bytes. Read as bytes. */
export function size(least: number, most: number): Field<number> {
  const expected = `a size from ${formatSize(least)} to ${formatSize(most)}, such as 512KiB, 1MiB or 65536 (bytes)`;
  return scalar((found) => inBounds(parseQuantity(found, SIZE_UNITS), least, most, expected), expected);
}

/** A rate: `100/s`, `600/min`, `36000/h`. */
export function rate(): Field<Rate> {
  const expected = 'a rate such as 100/s, 600/min or 5000/h';
  return scalar((found) => {
    const [, count = '', unit = ''] = /^(\d{1,9})\s*\/\s*(s|m|min|h)$/.exec(found) ?? [];
    const period = DURATION_UNITS.get(unit);
    if (period === undefined || Number(count) < 1) return { expected, ...suggestRate(found) };
    return { value: { count: Number(count), period } };
  }, expected);
}

/** Milliseconds of a duration with its unit, such as `30s`; `undefined` for anything else. */
export function parseDuration(text: string): number | undefined {
  const quantity = /[a-z]$/.test(text) ? parseQuantity(text, DURATION_UNITS) : undefined;
  return typeof quantity === 'number' ? quantity : undefined;
}

/** Milliseconds as a person writes them. */
export function formatDuration(milliseconds: number): string {
  for (const unit of ['d', 'h', 'm', 's']) {
    const worth = DURATION_UNITS.get(unit) ?? 1;
    if (milliseconds >= worth && milliseconds % worth === 0) return `${milliseconds / worth}${unit}`;
  }
  return `${milliseconds}ms`;
}

/** Bytes as a person writes them. */
export function formatSize(bytes: number): string {
  for (const unit of ['GiB', 'MiB', 'KiB']) {
    const worth = SIZE_UNITS.get(unit) ?? 1;
    if (bytes >= worth && bytes % worth === 0) return `${bytes / worth}${unit}`;
  }
  return `${bytes}B`;
}

function suggestRate(found: string): { readonly suggestion: string } | undefined {
  return /^[1-9]\d{0,8}$/.test(found) ? { suggestion: `${found}/min` } : undefined;
}

/** The quantity in the smallest unit, or the text with its unit corrected, or `undefined`. */
function parseQuantity(found: string, units: ReadonlyMap<string, number>): number | string | undefined {
  const [, number = '', unit = ''] = /^(\d{1,15}(?:\.\d{1,3})?)\s*([A-Za-z]*)$/.exec(found) ?? [];
  if (number === '') return undefined;
  const worth = units.get(unit);
  if (worth !== undefined) return Math.round(Number(number) * worth);
  const near = [...units.keys()].find((known) => known !== '' && sameUnit(known, unit));
  return near === undefined ? undefined : `${number}${near}`;
}

const sameUnit = (known: string, unit: string) =>
  known.toLowerCase() === unit.toLowerCase() || known.toLowerCase().replace('ib', '') === unit.toLowerCase();

function inBounds(
  quantity: number | string | undefined,
  least: number,
  most: number,
  expected: string,
): Parsed<number> {
  if (typeof quantity === 'string') return { expected, suggestion: quantity };
  return quantity !== undefined && quantity >= least && quantity <= most ? { value: quantity } : { expected };
}
