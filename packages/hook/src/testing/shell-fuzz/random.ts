/** A reproducible source of choices: the same seed gives the same line. */
export interface Random {
  /** From 0 up to, but not including, `bound`. */
  below(bound: number): number;
  pick<Value>(values: readonly Value[]): Value;
}

export function createRandom(seed: number): Random {
  // Neighbouring seeds must not begin alike.
  let state = Math.imul(seed + 1, 0x9e37_79b1) | 1;
  const below = (bound: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
  for (let round = 0; round < 8; round++) below(2);
  return { below, pick: (values) => values[below(values.length)] as (typeof values)[number] };
}
