import { REFUSALS, type Refusal } from '@proffer/core';

/**
 * The code that a refusal is counted under: the one that the client sees, unless MACP has only one for several
 * limits. Operators need to know which limit was met.
 */
export function countedCode({ code }: Refusal): string {
  const { macp } = REFUSALS[code];
  return REFUSALS[macp].limits.length > 0 ? code : macp;
}
