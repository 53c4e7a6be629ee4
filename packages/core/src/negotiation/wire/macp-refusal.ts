import { REFUSALS } from '../../refusal/codes.js';
import type { Refusal } from '../../refusal/refusal.js';

/** The same refusal with a code that MACP clients know. The sentence and the details stay as they are. */
export function macpRefusal(refusal: Refusal): Refusal {
  const { macp } = REFUSALS[refusal.code];
  return macp === refusal.code ? refusal : { ...refusal, code: macp };
}
