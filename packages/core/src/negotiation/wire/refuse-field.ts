import type { RefusalCode } from '../../refusal/codes.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { FieldProblem } from './readers.js';

/** The refusal for one field, with the same facts in its message and its details. */
export function refuseField(code: RefusalCode, problem: FieldProblem): Refusal {
  const { field, found, expected } = problem;
  const name = field === '' ? 'The message' : field;
  return refuse(code, `${name} is ${found}; expected ${expected}.`, problem);
}
