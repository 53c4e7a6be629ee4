/** A number of things: `1 proposal`, `2 proposals`; pass the plural if it is irregular. */
export function count(number: number, what: string, several = `${what}s`): string {
  return `${number} ${number === 1 ? what : several}`;
}
