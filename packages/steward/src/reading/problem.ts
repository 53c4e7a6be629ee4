/** Where something stands in a file. Lines and columns count from 1. */
export interface Place {
  readonly source: string;
  readonly line: number;
  readonly column: number;
}

/** One thing that is wrong with a file of rules. Declared as `type`, for it is also shown as JSON. */
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
};

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

/** The problems as text, one line each, in the order of the file: `FILE:LINE:COLUMN: KEY: what is wrong`. */
export function formatProblems(problems: readonly Problem[]): string {
  const sorted = [...problems].sort((left, right) => left.line - right.line || left.column - right.column);
  return sorted
    .map(({ source, line, column, path, message, suggestion }) => {
      const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
      return `${source}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}${hint}`;
    })
    .join('\n');
}
