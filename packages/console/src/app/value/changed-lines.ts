import { diffArrays } from 'diff/lib/diff/array.js';

/** A line of a change. */
export interface DiffLine {
  readonly type: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** The lines of two texts: what both have, what only the first has, and what only the second has. */
export function changedLines(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  // More than 2,000 changed lines are one block, because it would take too long to compare them.
  const parts = diffArrays(old, now, { maxEditLength: 2_000 }) ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: now },
  ];
  return parts.flatMap(({ removed, added, value }) => {
    const type = removed ? 'removed' : added ? 'added' : 'same';
    return value.map((text) => ({ type, text }) as const);
  });
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}
