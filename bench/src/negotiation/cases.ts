import type { Effort } from '../benchmark.js';

/** Messages in flight, and messages per round. */
export interface Case {
  readonly inFlight: number;
  readonly count: number;
}

const CASES: readonly Case[] = [
  { inFlight: 1, count: 400 },
  { inFlight: 32, count: 8000 },
  { inFlight: 256, count: 16_000 },
];

export function casesFor({ quick, smoke }: Effort): readonly Case[] {
  const divisor = smoke ? 100 : quick ? 8 : 1;
  return CASES.map(({ inFlight, count }) => ({ inFlight, count: Math.ceil(count / divisor) }));
}

/** Messages for a server that gets only a share. */
export function countFor({ count, inFlight }: Case, share: number): number {
  return Math.max(Math.ceil(count * share), Math.min(count, inFlight));
}

/** Appended to the name of its figures. */
export function labelOf({ inFlight }: Case): string {
  return `${inFlight} in flight`;
}
