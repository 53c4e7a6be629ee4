/** A number of things: `1 proposal`, `2 proposals`; where an `s` is not enough, with the word for several. */
export function count(number: number, what: string, several = `${what}s`): string {
  return `${number} ${number === 1 ? what : several}`;
}
