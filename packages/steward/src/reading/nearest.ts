/**
 * The name that was probably meant: the one that is the fewest characters (added, left out, replaced or
 * swapped with its neighbour) away, if those are at most a third of the word; else none.
 */
export function nearest(found: string, names: Iterable<string>): string | undefined {
  const wanted = found.toLowerCase();
  let best: string | undefined;
  let fewest = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const name of names) {
    if (Math.abs(name.length - wanted.length) >= fewest) continue;
    const slips = countSlips(wanted, name.toLowerCase());
    if (slips < fewest) [best, fewest] = [name, slips];
  }
  return best;
}

function countSlips(left: string, right: string): number {
  const table = [Array.from({ length: right.length + 1 }, (_, column) => column)];
  const slips = (row: number, column: number): number => table[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= left.length; row++) {
    const line = [row];
    table.push(line);
    for (let column = 1; column <= right.length; column++) {
      const replaced = left[row - 1] === right[column - 1] ? 0 : 1;
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      line.push(
        Math.min(
          slips(row - 1, column) + 1,
          slips(row, column - 1) + 1,
          slips(row - 1, column - 1) + replaced,
          swapped ? slips(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return slips(left.length, right.length);
}
