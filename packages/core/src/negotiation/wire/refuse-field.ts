import type { RefusalCode } from '../../refusal/codes.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { Problem } from './readers.js';

/** The refusal for one field: its sentence and its details say the same. */
export function refuseField(code: RefusalCode, problem: Problem): Refusal {
  const { field, found, expected } = problem;
  const name = field === '' ? 'The message' : field;
  return refuse(code, `${name} is ${found}; expected ${expected}.`, problem);
}
