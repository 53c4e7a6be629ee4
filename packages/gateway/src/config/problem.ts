/** Where something stands: in a file, or in an environment variable. Lines and columns count from 1. */
export interface Place {
  /** The file's name as the operator gave it, or `$NAME` of an environment variable. */
  readonly source: string;
  readonly line: number;
  readonly column: number;
}

/** One thing that is wrong with a configuration. Never holds the value of a secret. */
export interface Problem extends Place {
  /** The key, as in `limits.message_size`; empty when the whole file is meant. */
  readonly path: string;
  /** What was found and what is allowed, in whole sentences. */
  readonly message: string;
  /** The nearest thing that would have been right. */
  readonly suggestion?: string;
}

/** The place that an environment variable is. */
export function placeInVariable(name: string): Place {
  return { source: `$${name}`, line: 1, column: 1 };
}

/** Collects problems, so that one run shows everything that is wrong. */
export type Report = (at: Place, path: string, message: string, suggestion?: string) => void;

/** A report, and the list it fills. */
export function createReport(): { readonly problems: readonly Problem[]; readonly report: Report } {
  const problems: Problem[] = [];
  const report: Report = ({ source, line, column }, path, message, suggestion) => {
    problems.push({
      source,
      line,
      column,
      path,
      message,
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  };
  return { problems, report };
}

/**
 * The problems as text for a terminal: one line each, `FILE:LINE:COLUMN: KEY: what is wrong`, in the
 * order of the file, then those of environment variables, and the number of them at the end.
 */
export function formatProblems(problems: readonly Problem[]): string {
  const inVariables = (problem: Problem) => (problem.source.startsWith('$') ? 1 : 0);
  const sorted = [...problems].sort(
    (left, right) =>
      inVariables(left) - inVariables(right) ||
      left.source.localeCompare(right.source) ||
      left.line - right.line ||
      left.column - right.column,
  );
  const lines = sorted.map((problem) => {
    const hint = problem.suggestion === undefined ? '' : ` Did you mean ${problem.suggestion}?`;
    const path = problem.path === '' ? '' : `${problem.path}: `;
    return `${problem.source}:${problem.line}:${problem.column}: ${path}${problem.message}${hint}`;
  });
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return `${lines.join('\n')}\n${count} in the configuration; nothing was started.`;
}
