import { defined } from '@proffer/core/json';
/** A position in a file or an environment variable. Lines and columns count from 1. */
export interface SourcePosition {
  /** The file name as given, or `$NAME` for an environment variable. */
  readonly source: string;
  readonly line: number;
  readonly column: number;
}

/** One problem with what somebody wrote. Declared as `type` because it is also printed as JSON. */
export type Problem = {
  readonly source: string;
  readonly line: number;
  readonly column: number;
  /** The key, as in `rules[2].match.tool`; empty if the whole file is meant. */
  readonly path: string;
  /** What was found and what is allowed, in whole sentences. */
  readonly message: string;
  /** The nearest valid alternative. */
  readonly suggestion?: string;
  /** For syntax errors: the lines around the position, without values, and a caret. */
  readonly excerpt?: string;
};

/** Collects problems, so that one run reports all of them. */
export type Report = (
  at: SourcePosition & Pick<Problem, 'excerpt'>,
  path: string,
  message: string,
  suggestion?: string,
) => void;

/** A report function and the list it fills. */
export function createReport(): { readonly problems: readonly Problem[]; readonly report: Report } {
  const problems: Problem[] = [];
  const report: Report = ({ source, line, column, excerpt }, path, message, suggestion) => {
    problems.push({
      source,
      line,
      column,
      path,
      message,
      ...defined({ suggestion, excerpt }),
    });
  };
  return { problems, report };
}

/**
 * The problems as text, one line each, `FILE:LINE:COLUMN: KEY: what is wrong`, followed by the
 * excerpt if there is one; in file order, with environment variables last.
 */
export function problemLines(problems: readonly Problem[]): string {
  const inVariables = (problem: Problem) => (problem.source.startsWith('$') ? 1 : 0);
  const sorted = [...problems].sort(
    (left, right) =>
      inVariables(left) - inVariables(right) ||
      left.source.localeCompare(right.source) ||
      left.line - right.line ||
      left.column - right.column,
  );
  return sorted
    .map(({ source, line, column, path, message, suggestion, excerpt }) => {
      const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
      const below = excerpt === undefined ? '' : `\n${excerpt}`;
      return `${source}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}${hint}${below}`;
    })
    .join('\n');
}
