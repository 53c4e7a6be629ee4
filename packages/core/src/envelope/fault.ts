import { describe } from '../json/describe.js';
import type { JsonValue } from '../json/json.js';
import { type Refusal, refuse } from '../refusal/refusal.js';

/** A problem that a check found in a message, in the canonical spelling; {@link refuseFault} words it. */
export interface Fault {
  readonly code: 'missing_field' | 'invalid_field' | 'kind_mismatch' | 'reserved_kind' | 'sender_mismatch';
  /** Where, as a path in the canonical form: `payload.targeting.preferred[1]`. */
  readonly field: string;
  readonly found: JsonValue | undefined;
  /** What should have been there; completes the sentence "expected …". */
  readonly expected: string;
  /** A whole sentence for a mistake with a known remedy. */
  readonly hint?: string;
}

/** How the sender spells what the canonical form names. */
export interface Spelling {
  fieldName(field: string): string;
  /** The kind as sent. */
  readonly kind: JsonValue | undefined;
}

/** A field that is missing (if `found` is undefined) or invalid. */
export function fieldFault(
  field: string,
  found: JsonValue | undefined,
  expected: string,
  hint?: string,
): Fault {
  const code = found === undefined ? 'missing_field' : 'invalid_field';
  return { code, field, found, expected, ...(hint === undefined ? {} : { hint }) };
}

/** The refusal for a fault, with the sender's names for fields (O-5). */
export function refuseFault(fault: Fault, spelling?: Spelling): Refusal {
  const field = spelling?.fieldName(fault.field) ?? fault.field;
  const found = describe(fault.field === 'kind' && spelling !== undefined ? spelling.kind : fault.found);
  const what = fault.code === 'missing_field' ? 'is missing' : `is ${found}`;
  const sentence = `${field} ${what}; expected ${fault.expected}.`;
  return refuse(fault.code, fault.hint === undefined ? sentence : `${sentence} ${fault.hint}`, {
    field,
    ...(fault.code === 'missing_field' ? {} : { found }),
    expected: fault.expected,
  });
}
