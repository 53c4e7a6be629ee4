import type { GatedCallFacts } from '../asked/index.js';
import type { LaterRound } from '../recovery/index.js';

/** Whether it is a later round of a call. */
export function isLaterRound<Facts extends Pick<GatedCallFacts, 'id' | 'round'>>(
  facts: Facts,
): facts is Facts & LaterRound {
  return facts.round !== undefined;
}
