/** A reproducible random source: the same seed gives the same history. */
export interface Random {
  /** From 0 up to, but not including, `bound`. */
  below(bound: number): number;
  /** True once in `times`. */
  once(times: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
  /** Some of the values, perhaps none. */
  some<Value>(values: readonly Value[]): readonly Value[];
}

/** Mulberry32: small, fast, and good enough to find bugs. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    below,
    once: (times) => below(times) === 0,
    pick: (values) => values[below(values.length)] as (typeof values)[number],
    some: (values) => values.filter(() => below(2) === 0),
  };
}
