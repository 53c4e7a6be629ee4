/** Picks indexes below a length, the same ones in every run. */
export function picker(): (length: number) => number {
  let state = 1;
  return (length) => {
    // Marsaglia's xorshift: good enough for choosing what to touch next.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % length;
  };
}
