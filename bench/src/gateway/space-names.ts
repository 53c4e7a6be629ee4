/** Names for a number of spaces; the first is `main`. */
export function spaceNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? 'main' : `space-${index}`));
}
