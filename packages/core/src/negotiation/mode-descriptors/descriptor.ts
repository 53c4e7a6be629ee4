import { quote } from '../../json/describe.js';
import type { JsonObject, JsonValue } from '../../json/json.js';
import { failure, type Result, success } from '../../refusal/refusal.js';
import { isAmbient } from '../session/signal.js';
import { name } from '../wire/identifiers.js';
import { COMMON_READERS } from '../wire/payloads.js';
import { type FieldProblem, filledText, listOf, mapOf, messageOf, text } from '../wire/readers.js';
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
 * Parses the descriptor of a mode to register: one in which sessions can be held (N-31). Refuses with
 * `INVALID_ENVELOPE`, also if it exceeds 64 KiB.
 */
export function parseModeDescriptor(value: JsonValue): Result<ModeDescriptor> {
  const reading = descriptor(value, []);
  if (!reading.ok) return failure(refuseField('INVALID_ENVELOPE', reading.problem));
  const problem = checkTypes(reading.value) ?? checkDescriptorBytes(reading.value);
  return problem === undefined ? success(reading.value) : failure(refuseField('INVALID_ENVELOPE', problem));
}

/** What is wrong with the messages of a mode, or `undefined`. */
function checkTypes({ message_types, terminal_message_types }: ModeDescriptor): FieldProblem | undefined {
  const taken = message_types.findIndex((type) => RESERVED_TYPES.has(type) || isAmbient(type));
  if (taken !== -1) {
    const field = `message_types[${taken}]`;
    const found = `${quote(message_types[taken] ?? '')}, which only the runtime writes or is sent outside sessions`;
    return { field, found, expected: 'another type' };
  }
  if (message_types.every((type) => type === 'SessionStart')) {
    return { field: 'message_types', found: 'none besides SessionStart', expected: 'at least one' };
  }
  const unknown = terminal_message_types.findIndex((type) => !message_types.includes(type));
  const canEnd = unknown === -1 && !terminal_message_types.includes('SessionStart');
  if (canEnd) return undefined;
  const index = unknown === -1 ? terminal_message_types.indexOf('SessionStart') : unknown;
  return {
    field: `terminal_message_types[${index}]`,
    found: quote(terminal_message_types[index] ?? ''),
    expected: 'one of message_types, other than SessionStart',
  };
}

/** Message types with a meaning in every mode; a mode can only list the start and the Commitment. */
const RESERVED_TYPES: ReadonlySet<string> = new Set(
  Object.keys(COMMON_READERS).filter((type) => type !== 'SessionStart' && type !== 'Commitment'),
);
