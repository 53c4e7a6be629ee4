import { type Clause, idsIn } from './clauses.js';
import type { TestTitle } from './test-titles.js';

/** The clauses that a package must cover and that none of its test titles cites, one line each. */
export function missingCitations(
  clauses: readonly Clause[],
  packageName: string,
  titles: readonly TestTitle[],
): readonly string[] {
  const cited = new Set(titles.flatMap(({ text }) => idsIn(text)));
  return clauses
    .filter(({ id, packages }) => packages.includes(packageName) && !cited.has(id))
    .map(({ id, text }) => `${packageName}: no test title cites ${id} (${shorten(text)})`);
}

/** Cited ids that are not clauses, one line each: most likely typos. */
export function unknownCitations(
  clauses: readonly Clause[],
  titles: readonly TestTitle[],
): readonly string[] {
  const known = new Set(clauses.map(({ id }) => id));
  return titles.flatMap(({ text, place }) =>
    idsIn(text)
      .filter((id) => !known.has(id))
      .map((id) => `${place}: there is no clause ${id} ("${shorten(text)}")`),
  );
}

function shorten(text: string): string {
  return text.length <= 70 ? text : `${text.slice(0, 69)}…`;
}
