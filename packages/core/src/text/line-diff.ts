/** A line of a difference. */
export interface DiffLine {
  readonly type: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Above this many comparisons the middle is shown as one block: removed, then added. */
const MAX_COMPARISONS = 1_000_000;

/** The changes between two texts, line by line. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const old = before === '' ? [] : before.split('\n');
  const now = after === '' ? [] : after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return [
    ...lines('same', old.slice(0, start)),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...lines('same', old.slice(old.length - end)),
  ];
}

function middle(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  if (old.length * now.length > MAX_COMPARISONS) return [...lines('removed', old), ...lines('added', now)];
  const width = now.length + 1;
  // From the end: the length of the longest common suffix after each pair of positions.
  const rest = new Uint32Array((old.length + 1) * width);
  const at = (left: number, right: number): number => rest[left * width + right] ?? 0;
  for (let left = old.length - 1; left >= 0; left--) {
    for (let right = now.length - 1; right >= 0; right--) {
      rest[left * width + right] =
        old[left] === now[right]
          ? at(left + 1, right + 1) + 1
          : Math.max(at(left + 1, right), at(left, right + 1));
    }
  }
  const found: DiffLine[] = [];
  let left = 0;
  let right = 0;
  while (left < old.length || right < now.length) {
    const [was, is] = [old[left], now[right]];
    if (was !== undefined && was === is) {
      found.push({ type: 'same', text: was });
      left++;
      right++;
    } else if (was !== undefined && (is === undefined || at(left + 1, right) >= at(left, right + 1))) {
      found.push({ type: 'removed', text: was });
      left++;
    } else {
      found.push({ type: 'added', text: is ?? '' });
      right++;
    }
  }
  return found;
}

function lines(type: DiffLine['type'], texts: readonly string[]): readonly DiffLine[] {
  return texts.map((text) => ({ type, text }));
}
