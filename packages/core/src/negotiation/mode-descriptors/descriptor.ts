import type { JsonObject, JsonValue } from '../../json/json.js';
import { failure, type Result, success } from '../../refusal/refusal.js';
import { name } from '../wire/identifiers.js';
import { filledText, listOf, mapOf, messageOf, text } from '../wire/readers.js';
import { refuseField } from '../wire/refuse-field.js';
import { checkDescriptorBytes } from '../wire/registry-bounds.js';

/** A mode as the wire describes it. */
export type ModeDescriptor = {
  readonly mode: string;
  readonly mode_version: string;
  readonly title: string;
  readonly description: string;
  readonly determinism_class: string;
  readonly participant_model: string;
  readonly message_types: readonly string[];
  readonly terminal_message_types: readonly string[];
  /** Addresses by message type. */
  readonly schema_uris: JsonObject;
};

const descriptor = messageOf<ModeDescriptor>({
  mode: name,
  mode_version: filledText,
  title: text,
  description: text,
  determinism_class: text,
  participant_model: text,
  message_types: listOf(filledText),
  terminal_message_types: listOf(filledText),
  schema_uris: mapOf(filledText),
});

/**
 * Parses the descriptor of a mode to register. Refuses with `INVALID_ENVELOPE`, also if it exceeds 64
 * KiB.
 */
export function parseModeDescriptor(value: JsonValue): Result<ModeDescriptor> {
  const reading = descriptor(value, []);
  if (!reading.ok) return failure(refuseField('INVALID_ENVELOPE', reading.problem));
  const tooLarge = checkDescriptorBytes(reading.value);
  return tooLarge === undefined ? success(reading.value) : failure(refuseField('INVALID_ENVELOPE', tooLarge));
}
