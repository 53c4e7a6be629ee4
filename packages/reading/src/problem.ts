/** Where something stands: in a file, or in an environment variable. Lines and columns count from 1. */
export interface Place {
  /** The file's name as it was given, or `$NAME` of an environment variable. */
  readonly source: string;
  readonly line: number;
  readonly column: number;
}

/** One thing that is wrong with what somebody wrote. Declared as `type`, for it is also shown as JSON. */
export type Problem = {
  readonly source: string;
  readonly line: number;
  readonly column: number;
  /** The key, as in `rules[2].match.tool`; empty when the whole file is meant. */
  readonly path: string;
  /** What was found and what is allowed, in whole sentences. */
  readonly message: string;
  /** The nearest thing that would have been right. */
  readonly suggestion?: string;
  /** The lines around the place, without their values, and a caret below it: where the syntax is at fault. */
  readonly excerpt?: string;
};

/** Collects problems, so that one run shows everything that is wrong. */
export type Report = (
  at: Place & Pick<Problem, 'excerpt'>,
  path: string,
  message: string,
  suggestion?: string,
) => void;

/** A report, and the list it fills. */
export function createReport(): { readonly problems: readonly Problem[]; readonly report: Report } {
  const problems: Problem[] = [];
  const report: Report = ({ source, line, column, excerpt }, path, message, suggestion) => {
    problems.push({
      source,
      line,
      column,
      path,
      message,
      ...(suggestion === undefined ? {} : { suggestion }),
      ...(excerpt === undefined ? {} : { excerpt }),
    });
  };
  return { problems, report };
}

/**
 * The problems as text, one line each, `FILE:LINE:COLUMN: KEY: what is wrong`, and below it the excerpt of those
 * that have one; in the order of the file, then those of environment variables.
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
