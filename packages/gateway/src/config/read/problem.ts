import { type Problem, problemLines, type SourcePosition } from '@proffer/reading';

/** An environment variable as a position. */
export function placeInVariable(name: string): SourcePosition {
  return { source: `$${name}`, line: 1, column: 1 };
}

/**
 * Formats the problems of a configuration for a terminal: one line each, in file order, then those of
 * environment variables, and their number at the end. Never contains the value of a secret.
 *
 * @param consequence - what that means, at the end. Default: nothing was started
 */
export function formatProblems(problems: readonly Problem[], consequence = 'nothing was started'): string {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return `${problemLines(problems)}\n${count} in the configuration; ${consequence}.`;
}
