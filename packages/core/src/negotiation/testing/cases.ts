import { expect } from 'vitest';
import { given } from './given.js';
import type { Step } from './steps.js';

/** A row of a table: its title, the previous steps, the step, and its result. */
export type Case = readonly [title: string, given: readonly Step[], when: Step, then: string];

/** Holds when the step has the expected result: `it.each<Case>([…])('%s', becomes)`. */
export function becomes(_title: string, before: readonly Step[], step: Step, expected: string): void {
  expect(given(...before).when(step).result).toBe(expected);
}
