/** One key for two names with arbitrary content. */
export function pairKey(first: string, second: string): string {
  return `${first.length}:${first}${second}`;
}
