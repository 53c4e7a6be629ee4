import { type ArgumentFault, describe, type JsonValue } from '@proffer/core';

/** What is used up while a value is checked, and what was found wrong with it. */
export interface Run {
  /** Checks that are left; a schema that needs more cannot be used for this value. */
  left: number;
  /** Schemas inside one another at the moment. */
  depth: number;
  readonly faults: ArgumentFault[];
}

/** A compiled schema, or a part of one: notes what is wrong with a value at a path. */
export type Check = (value: JsonValue, path: string, run: Run) => void;

/** A schema needs more work for a value than it is given. */
export class TooMuchWorkError extends Error {
  override readonly name = 'TooMuchWorkError';
}

const MOST_CHECKS = 100_000;
const DEEPEST = 200;

/** Nothing more is said about a value that has so many faults. */
const MOST_FAULTS = 10;

/** What is wrong with a value, by a schema; nothing if it fits. */
export function faultsOf(check: Check, value: JsonValue, path: string): readonly ArgumentFault[] {
  const run = { left: MOST_CHECKS, depth: 0, faults: [] };
  check(value, path, run);
  return run.faults;
}

/** Runs a part of a schema within the limits. */
export function step(check: Check, value: JsonValue, path: string, run: Run): void {
  if (run.depth >= DEEPEST) throw new TooMuchWorkError('The schema leads too deep.');
  spend(run, 1);
  run.depth++;
  check(value, path, run);
  run.depth--;
}

/** Accounts for work, in about as many steps as a look at one value takes. */
export function spend(run: Run, steps: number): void {
  run.left -= steps;
  if (run.left < 0) throw new TooMuchWorkError('The schema needs too much work for these arguments.');
}

/** What reading a text costs. */
export function spendOn(run: Run, text: string): void {
  spend(run, 1 + (text.length >> 4));
}

/** Whether a value fits, without noting anything. */
export function fits(check: Check, value: JsonValue, run: Run): boolean {
  const inner: Run = { left: run.left, depth: run.depth, faults: [] };
  step(check, value, '', inner);
  run.left = inner.left;
  return inner.faults.length === 0;
}

/** Notes a fault. */
export function fault(run: Run, path: string, value: JsonValue | undefined, expected: string): void {
  if (run.faults.length < MOST_FAULTS) run.faults.push({ path, expected, found: describe(value) });
}

/** The path of a member, as a JSON pointer. */
export function at(path: string, key: string | number): string {
  return `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
