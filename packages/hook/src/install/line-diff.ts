import { structuredPatch } from 'diff';

/** The changes between two texts, in the format of `diff -u` without its headers: `…` is where lines are left out. */
export function lineDiff(before: string, after: string): readonly string[] {
  // More than 2,000 changed lines are shown as one block, because it would take too long to compare them.
  const options = { context: 3, maxEditLength: 2_000 };
  const patch = structuredPatch('', '', ended(before), ended(after), '', '', options);
  const hunks = patch?.hunks ?? [
    {
      oldStart: 1,
      lines: [...linesOf(before).map((line) => `-${line}`), ...linesOf(after).map((line) => `+${line}`)],
    },
  ];
  return hunks.flatMap(({ oldStart, lines }) => {
    const shown = lines.map((line) => `${line.slice(0, 1)} ${line.slice(1)}`);
    return oldStart > 1 ? ['…'].concat(shown) : shown;
  });
}

/** The text with the end of its last line, which is not a difference. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function linesOf(text: string): readonly string[] {
  return ended(text).split('\n').slice(0, -1);
}
