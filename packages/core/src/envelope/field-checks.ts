import { describe } from '../json/describe.js';
import { isJsonArray, isJsonObject, type JsonValue } from '../json/json.js';
import { type Refusal, refuse } from '../refusal/refusal.js';
import { IDENTIFIER, isIdentifier, isToolName, TOOL_NAME } from './name.js';

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
  const hint = fault.code === 'reserved_kind' ? whoseKind(spelling?.kind ?? fault.found) : fault.hint;
  return refuse(fault.code, hint === undefined ? sentence : `${sentence} ${hint}`, {
    field,
    ...(fault.code === 'missing_field' ? {} : { found }),
    expected: fault.expected,
  });
}

/** Without quotation marks: mew clients look for this sentence. */
function whoseKind(kind: JsonValue | undefined): string | undefined {
  const isPlain = typeof kind === 'string' && /^[\w./-]{1,64}$/.test(kind);
  return isPlain ? `${kind} is reserved for the gateway.` : undefined;
}

type Found = JsonValue | undefined;

const MAX_IDENTIFIERS = 1000;

/** The fault of a field that should be text, or `undefined`. The other checks here work the same way. */
export function checkText(field: string, found: Found): Fault | undefined {
  return typeof found === 'string' ? undefined : fieldFault(field, found, 'a string');
}

/** Non-empty text. */
export function checkFilledText(field: string, found: Found): Fault | undefined {
  return typeof found === 'string' && found !== ''
    ? undefined
    : fieldFault(field, found, 'a non-empty string');
}

/** The name of a tool or prompt. */
export function checkToolName(field: string, found: Found): Fault | undefined {
  return isToolName(found)
    ? undefined
    : (checkFilledText(field, found) ?? fieldFault(field, found, TOOL_NAME));
}

/** The id of a message, or a name. */
export function checkIdentifier(field: string, found: Found): Fault | undefined {
  return isIdentifier(found) ? undefined : fieldFault(field, found, IDENTIFIER);
}

/** A JSON object: not null, not an array. */
export function checkObject(field: string, found: Found): Fault | undefined {
  return isJsonObject(found) ? undefined : fieldFault(field, found, 'an object');
}

/** True or false, not a word or number for it. */
export function checkBoolean(field: string, found: Found): Fault | undefined {
  return typeof found === 'boolean' ? undefined : fieldFault(field, found, 'true or false');
}

/** Milliseconds: an integer from 1 to 2^53 - 1. */
export function checkDuration(field: string, found: Found): Fault | undefined {
  return Number.isSafeInteger(found) && Number(found) > 0
    ? undefined
    : fieldFault(field, found, 'a positive whole number of milliseconds');
}

/** One of several words. */
export function checkWord(field: string, found: Found, words: readonly string[]): Fault | undefined {
  return typeof found === 'string' && words.includes(found)
    ? undefined
    : fieldFault(field, found, `one of ${words.join(', ')}`);
}

/** The fault of an optional field. `null` is not the same as leaving it out. */
export function checkOptional(
  check: (field: string, found: Found) => Fault | undefined,
  field: string,
  found: Found,
): Fault | undefined {
  return found === undefined ? undefined : check(field, found);
}

/** A list of `least` to 1000 different ids or names. */
export function checkIdentifiers(
  field: string,
  found: Found,
  { least, called }: { readonly least: 0 | 1; readonly called: 'ids' | 'names' | 'capabilities' },
): Fault | undefined {
  if (!isJsonArray(found)) return fieldFault(field, found, `an array of ${called}`);
  if (found.length < least || found.length > MAX_IDENTIFIERS) {
    return fieldFault(field, found, `${least} to ${MAX_IDENTIFIERS} ${called}`);
  }
  // Nearly always one: nothing is put together for that.
  const seen = found.length === 1 ? undefined : new Set<JsonValue>();
  for (let index = 0; index < found.length; index++) {
    const item = found[index] as JsonValue;
    if (!isIdentifier(item)) return fieldFault(`${field}[${index}]`, item, IDENTIFIER);
    if (seen?.has(item) === true) return fieldFault(`${field}[${index}]`, item, `each of the ${called} once`);
    seen?.add(item);
  }
  return undefined;
}
