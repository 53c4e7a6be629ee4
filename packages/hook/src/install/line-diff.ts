/** How many lines of context are shown. */
const AROUND = 3;

type Line = { readonly mark: ' ' | '-' | '+'; readonly text: string };

/** The changes between two texts, in the format of `diff -u` without its first two lines. */
export function lineDiff(before: string, after: string): readonly string[] {
  const lines = compare(linesOf(before), linesOf(after));
  const near = lines.map((_, at) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ mark }) => mark !== ' '),
  );
  return lines.flatMap(({ mark, text }, at) => {
    if (near[at] !== true) return [];
    return at > 0 && near[at - 1] !== true ? ['…', `${mark} ${text}`] : [`${mark} ${text}`];
  });
}

function sameLine(text: string): Line {
  return { mark: ' ', text };
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function compare(before: readonly string[], after: readonly string[]): readonly Line[] {
  // Settings are edited in one place or two: a common start and end need not be compared.
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return [
    ...before.slice(0, start).map(sameLine),
    ...changed(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(sameLine),
  ];
}

/** By the longest common subsequence of lines. */
function changed(before: readonly string[], after: readonly string[]): readonly Line[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const [here, below] = [lengths[i] as Uint32Array, lengths[i + 1] as Uint32Array];
      here[j] =
        before[i] === after[j]
          ? (below[j + 1] as number) + 1
          : Math.max(below[j] as number, here[j + 1] as number);
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && before[i] === after[j]) {
      lines.push({ mark: ' ', text: before[i] as string });
      i++;
      j++;
    } else if (
      j >= after.length ||
      (i < before.length && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))
    )
      lines.push({ mark: '-', text: before[i++] as string });
    else lines.push({ mark: '+', text: after[j++] as string });
  }
  return lines;
}
