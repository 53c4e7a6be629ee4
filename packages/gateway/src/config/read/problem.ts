import { type Place, type Problem, problemLines } from '@proffer/reading';

/** The place that an environment variable is. */
export function placeInVariable(name: string): Place {
  return { source: `$${name}`, line: 1, column: 1 };
}

/**
 * The problems of a configuration as text for a terminal: one line each, in the order of the file, then
 * those of environment variables, and the number of them at the end. Never holds the value of a secret.
 *
 * @param consequence - what that means, at the end. Default that nothing was started
 */
export function formatProblems(problems: readonly Problem[], consequence = 'nothing was started'): string {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return `${problemLines(problems)}\n${count} in the configuration; ${consequence}.`;
}
