import { describe } from '../json/describe.js';
import type { JsonValue } from '../json/json.js';
import { type Refusal, refuse } from '../refusal/refusal.js';

/** What a check found wrong with a message, in the canonical spelling; {@link refuseFault} words it. */
export interface Fault {
  readonly code: 'missing_field' | 'invalid_field' | 'kind_mismatch' | 'reserved_kind' | 'sender_mismatch';
  /** Where, as a path in the canonical form: `payload.targeting.preferred[1]`. */
  readonly field: string;
  readonly found: JsonValue | undefined;
  /** What should have been there; completes the sentence "expected …". */
  readonly expected: string;
  /** A whole sentence for a mistake whose remedy is known. */
  readonly hint?: string;
}

/** How the sender spells what the canonical form names. */
export interface Spelling {
  fieldName(field: string): string;
  /** The kind as it was sent. */
  readonly kind: JsonValue | undefined;
}

/** A field that is missing (when `found` is undefined) or is not what it should be. */
export function fieldFault(
  field: string,
  found: JsonValue | undefined,
  expected: string,
  hint?: string,
): Fault {
  const code = found === undefined ? 'missing_field' : 'invalid_field';
  return { code, field, found, expected, ...(hint === undefined ? {} : { hint }) };
}

/** The refusal for a fault, with the fields named as the sender names them (O-5). */
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
