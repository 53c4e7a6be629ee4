import type { JsonObject } from '../../json/json.js';
import type { Envelope } from '../envelope.js';

/** The ways of writing a message that Proffer reads and answers in. */
export type DialectName = 'mcpx' | 'mcpx-slash' | 'legacy' | 'mew/v0.4';

/** What the gateway adds to a message on delivery. */
export interface Delivered {
  /** The message's number in its space (O-4). */
  readonly seq?: number;
}

/**
 * One way of writing messages (O-7). Both functions are pure and total: `decode` only renames, and
 * leaves errors for the validator to name.
 */
export interface Dialect {
  readonly name: DialectName;
  /** The message in the canonical spelling, unchecked. */
  decode(raw: JsonObject): JsonObject;
  encode(envelope: Envelope, delivered?: Delivered): JsonObject;
  /** What the sender of `raw` calls a field of the canonical form. */
  fieldName(field: string, raw: JsonObject): string;
}

/** An envelope with some fields renamed; only `correlationId` is removed. */
export function respell(envelope: Envelope, spelled: JsonObject, delivered: Delivered = {}): JsonObject {
  const { correlationId: _, ...rest } = envelope;
  return deliver(Object.assign(rest, spelled), delivered);
}

/** A message with what the gateway adds to it. Assigned, not spread: engines are slow to add to a copy. */
export function deliver(message: JsonObject, { seq }: Delivered = {}): JsonObject {
  return seq === undefined ? message : Object.assign({}, message, { seq });
}

/** The two spellings of `correlationId`. */
export type CorrelationField = 'correlationId' | 'correlation_id';

/**
 * Which field of a message holds its correlation: the dialect's own if present, else the other one.
 * Both spellings count in every dialect, because a request that lost its link to a proposal would run
 * without fulfilling it.
 */
export function correlationField(raw: JsonObject, own: CorrelationField): CorrelationField {
  const other = own === 'correlationId' ? 'correlation_id' : 'correlationId';
  return raw[own] === undefined && raw[other] !== undefined ? other : own;
}

/** `field` with its prefix `from` replaced by `to`; anything else unchanged. */
export function renameField(field: string, from: string, to: string): string {
  if (!field.startsWith(from)) return field;
  const rest = field.slice(from.length);
  return rest === '' || rest.startsWith('[') || rest.startsWith('.') ? `${to}${rest}` : field;
}
