/** A snapshot for a test: pieces of some length that identify it. */
export function snapshotOf(seq: number): readonly string[] {
  return Array.from({ length: 20 }, (_, index) => `${seq}/${index} `.repeat(500));
}
