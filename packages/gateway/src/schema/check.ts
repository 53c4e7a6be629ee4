import { describe, type JsonValue } from '@proffer/core/json';
import { type ArgumentFault } from '@proffer/core/operations';
import { hideAt } from '@proffer/core/secrets';

/** The budget of a check, and the faults found so far. */
interface Run {
  /** Remaining steps; a schema that needs more cannot be used for this value. */
  left: number;
  /** Current schema nesting. */
  depth: number;
  readonly faults: ArgumentFault[];
}

/** A compiled schema, or a part of one: reports what is wrong with a value at a path. */
export type SchemaCheck = (value: JsonValue, path: string, run: Run) => void;

/** A schema needs more work for a value than the budget allows. */
export class TooMuchWorkError extends Error {
  override readonly name = 'TooMuchWorkError';
}

const MAX_CHECKS = 100_000;
const DEEPEST = 200;

/** Collecting stops at this many faults per value. */
const MAX_FAULTS = 10;

/** The maximum length of a fault's path and expectation. */
const MAX_TEXT_LENGTH = 500;

/** What is wrong with a value according to a schema; empty if it is valid. */
export function faultsOf(check: SchemaCheck, value: JsonValue, path: string): readonly ArgumentFault[] {
  const run = { left: MAX_CHECKS, depth: 0, faults: [] };
  check(value, path, run);
  return run.faults;
}

/** Runs a part of a schema within the limits. */
export function step(check: SchemaCheck, value: JsonValue, path: string, run: Run): void {
  if (run.depth >= DEEPEST) throw new TooMuchWorkError('The schema is nested too deeply.');
  spend(run, 1);
  run.depth++;
  check(value, path, run);
  run.depth--;
}

/** {@link SchemaCheck} as a separate step. */
export function stepInto(check: SchemaCheck): SchemaCheck {
  return (value, path, run) => step(check, value, path, run);
}

/** Charges work, in steps of about the cost of looking at one value. */
export function spend(run: Run, steps: number): void {
  run.left -= steps;
  if (run.left < 0) throw new TooMuchWorkError('The schema needs too much work for these arguments.');
}

/** Charges the cost of reading a text. */
export function spendOn(run: Run, text: string): void {
  spend(run, 1 + (text.length >> 4));
}

/** Whether a value is valid, without reporting anything. */
export function fits(check: SchemaCheck, value: JsonValue, run: Run): boolean {
  const inner: Run = { left: run.left, depth: run.depth, faults: [] };
  step(check, value, '', inner);
  run.left = inner.left;
  return inner.faults.length === 0;
}

/** Reports a fault briefly and without secrets: a schema, and the names in it, can be as long as a message. */
export function fault(run: Run, path: string, value: JsonValue | undefined, expected: string): void {
  if (run.faults.length < MAX_FAULTS) {
    run.faults.push({
      path: cut(path),
      expected: cut(expected),
      found: describe(value === undefined ? undefined : hideAt(path, value)),
    });
  }
}

/** The start of a long text, without half a character at its end. */
function cut(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH).toWellFormed()}…`;
}

/** The path of a member, as a JSON pointer. A long key costs its length. */
export function at(path: string, key: string | number, run: Run): string {
  if (typeof key === 'number') return `${path}/${key}`;
  spend(run, key.length >> 4);
  return `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
