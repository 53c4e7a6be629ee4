import { visibleLine } from '../terminal/visible.js';

/** Why a proposer asks, in its own words; nothing if it does not say, or if that is not known. */
export function becauseOf(reason: string | undefined, isRevealed = false): readonly string[] {
  return reason === undefined || reason === '' ? [] : [`because “${visibleLine(reason, isRevealed)}”`];
}
