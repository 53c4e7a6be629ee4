import { REFUSALS } from '../../refusal/codes.js';
import type { Refusal } from '../../refusal/refusal.js';

/** The same refusal with a code that MACP clients know. The message and the details are unchanged. */
export function macpRefusal(refusal: Refusal): Refusal {
  const { macp } = REFUSALS[refusal.code];
  return macp === refusal.code ? refusal : { ...refusal, code: macp };
}
