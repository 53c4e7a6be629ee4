import { keptItems } from '../settings/index.js';

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

/** So many equal lines end a difference. */
const AGREEMENT = 3;
/** How far apart, in lines, the ends of a difference are looked for. */
const FARTHEST = 400;

/**
 * Takes the texts apart where they agree again: settings are edited in a few places, and may be as long as an agent's
 * whole history.
 */
function compare(before: readonly string[], after: readonly string[]): readonly Line[] {
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && before[i] === after[j]) {
      lines.push(sameLine(before[i] as string));
      i++;
      j++;
      continue;
    }
    const [removed, added] = untilAgreement(before.slice(i, i + FARTHEST), after.slice(j, j + FARTHEST));
    lines.push(...changed(before.slice(i, i + removed), after.slice(j, j + added)));
    i += removed;
    j += added;
  }
  return lines;
}

/** How many lines of each are in a difference; all of them if they do not agree again. */
function untilAgreement(before: readonly string[], after: readonly string[]): readonly [number, number] {
  for (let apart = 1; apart < before.length + after.length; apart++)
    for (
      let removed = Math.max(0, apart - after.length);
      removed <= Math.min(apart, before.length);
      removed++
    ) {
      const added = apart - removed;
      const [one, other] = [removed, added].map((from, at) =>
        (at === 0 ? before : after).slice(from, from + AGREEMENT),
      );
      if (one?.length === AGREEMENT && one.every((line, at) => line === other?.[at])) return [removed, added];
    }
  return [before.length, after.length];
}

/** By the longest common subsequence of lines. */
function changed(before: readonly string[], after: readonly string[]): readonly Line[] {
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  for (const [was, is] of [...keptItems(before, after, Object.is), [before.length, after.length] as const]) {
    lines.push(...before.slice(i, was).map((text): Line => ({ mark: '-', text })));
    lines.push(...after.slice(j, is).map((text): Line => ({ mark: '+', text })));
    lines.push(...before.slice(was, was + 1).map(sameLine));
    [i, j] = [was + 1, is + 1];
  }
  return lines;
}
