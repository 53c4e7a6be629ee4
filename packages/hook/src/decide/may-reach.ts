import type { Gap, ShellWord } from '../shell/index.js';

/** How much of a protected name has to be written out for a word to count as one that may mean it, in characters. */
const EVIDENCE = 2;

/**
 * Whether a word that is known in part may name a path, something in it or the folder above it: `~/.config/p*r/x` may
 * be in `~/.config/proffer`. Something of the path's last two names has to be written out, and more than the ending
 * of a file; otherwise `*.json` would do.
 */
export function mayReach(word: Pick<ShellWord, 'pieces' | 'gaps'>, path: string): boolean {
  const { pieces, gaps } = withoutEmpty(word);
  const name = path.toLowerCase();
  const written = evidenceIn(name);
  // For each place in the name that the word may have come to: the most that is written out on the way.
  let reached = new Map<number, number>([[0, 0]]);
  for (const [index, piece] of pieces.entries()) {
    const text = piece.toLowerCase();
    const next = new Map<number, number>();
    for (const [from, before] of reached)
      for (const at of startsAfter(name, from, gaps[index - 1])) {
        const rest = name.slice(at);
        const isBeyond = text.startsWith(`${rest}/`);
        if (!isBeyond && !rest.startsWith(text)) continue;
        const end = isBeyond ? name.length : at + text.length;
        const total = before + written(at, end);
        if (isBeyond && total >= EVIDENCE) return true;
        if (!isBeyond) next.set(end, Math.max(next.get(end) ?? 0, total));
      }
    // Every piece between gaps takes a part of the name, so a long word ends here.
    if (next.size === 0) return false;
    reached = next;
  }
  const isOpen = gaps.length > 0 && pieces.at(-1) === '';
  return [...reached].some(([at, total]) => total >= EVIDENCE && (isOpen || at === name.length));
}

/** A word with one gap in place of several that have nothing between them: `$a$b` is as open as `$a`. */
function withoutEmpty({
  pieces,
  gaps,
}: Pick<ShellWord, 'pieces' | 'gaps'>): Pick<ShellWord, 'pieces' | 'gaps'> {
  const word: { readonly pieces: string[]; readonly gaps: Gap[] } = { pieces: [pieces[0] ?? ''], gaps: [] };
  for (const [index, gap] of gaps.entries()) {
    const isAfterGap = word.gaps.length > 0 && word.pieces.at(-1) === '';
    if (!isAfterGap) word.gaps.push(gap);
    else if (gap === 'text') word.gaps[word.gaps.length - 1] = gap;
    if (isAfterGap) word.pieces.pop();
    word.pieces.push(pieces[index + 1] ?? '');
  }
  return word;
}

/** Where the next text may begin, after something unknown. */
function startsAfter(name: string, from: number, gap: Gap | undefined): readonly number[] {
  if (gap === undefined) return [from];
  const slash = name.indexOf('/', from);
  const last = gap === 'text' || slash === -1 ? name.length : slash;
  return Array.from({ length: last - from + 1 }, (_, index) => from + index);
}

/** Counts what is written out of the last two names, without the ending of a file. */
function evidenceIn(name: string): (from: number, to: number) => number {
  const last = name.lastIndexOf('/');
  const start = name.lastIndexOf('/', last - 1) + 1;
  const ending = name.lastIndexOf('.');
  const end = ending > last + 1 ? ending : name.length;
  return (from, to) => Math.max(0, Math.min(to, end) - Math.max(from, start));
}
