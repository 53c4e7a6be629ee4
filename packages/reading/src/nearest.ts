/**
 * The name that was probably meant: the one with the fewest typos (an extra, missing or wrong
 * character, or two swapped), if they are at most a third of the word (or `most`); otherwise none.
 */
export function nearest(
  found: string,
  names: Iterable<string>,
  most = Math.max(1, Math.floor(found.length / 3)),
): string | undefined {
  const wanted = found.toLowerCase();
  let best: string | undefined;
  let fewest = most + 1;
  for (const name of names) {
    if (Math.abs(name.length - wanted.length) >= fewest) continue;
    const slips = countTypos(wanted, name.toLowerCase());
    if (slips >= fewest) continue;
    best = name;
    fewest = slips;
  }
  return best;
}

function countTypos(left: string, right: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let slips = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      );
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && swapped) slips = Math.min(slips, at(before, column - 2) + 1);
      current.push(slips);
    }
    before = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}

function at(list: readonly number[], index: number): number {
  return list[index] ?? Number.POSITIVE_INFINITY;
}

/** Joins names for a sentence: `a, b and c`. */
export function listed(names: Iterable<string>): string {
  const all = [...names];
  const last = all.pop() ?? 'nothing';
  return all.length === 0 ? last : `${all.join(', ')} and ${last}`;
}
