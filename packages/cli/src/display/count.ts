/** A number of things: `1 proposal`, `2 proposals`. */
export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
