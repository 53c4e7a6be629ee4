import { utf8Length } from '../../hash/utf8.js';
import type { JsonObject } from '../../json/json.js';
import type { FieldProblem } from './readers.js';

/** The maximum size of one descriptor, in bytes of JSON (I-7). */
export const MAX_DESCRIPTOR_BYTES = 65_536;

/** The maximum number of entries in one registry (I-7). */
export const MAX_REGISTERED = 1_000;

/** The size of a descriptor, in bytes of JSON. */
export function descriptorBytes(descriptor: JsonObject): number {
  return utf8Length(JSON.stringify(descriptor));
}

/** The problem with a descriptor that is too large, naming its largest field; or `undefined`. */
export function checkDescriptorBytes(descriptor: JsonObject): FieldProblem | undefined {
  const bytes = descriptorBytes(descriptor);
  if (bytes <= MAX_DESCRIPTOR_BYTES) return undefined;
  const [largest = ''] = Object.keys(descriptor).sort(
    (left, right) => sizeOf(descriptor, right) - sizeOf(descriptor, left),
  );
  return {
    field: largest,
    found: `${sizeOf(descriptor, largest)} bytes, of ${bytes} in all`,
    expected: `a descriptor of at most ${MAX_DESCRIPTOR_BYTES} bytes of JSON`,
  };
}

/** The load of a registry, and its limits. */
export interface RegistryLoad {
  /** The field that a refusal is about. */
  readonly field: string;
  /** The size of each entry in bytes. */
  readonly registered: readonly number[];
  /** The maximum total size in bytes. */
  readonly mostBytes: number;
}

/** The problem with adding a descriptor of this size, or `undefined`. */
export function checkRoom(
  { field, registered, mostBytes }: RegistryLoad,
  bytes: number,
): FieldProblem | undefined {
  if (registered.length >= MAX_REGISTERED) {
    const expected = `at most ${MAX_REGISTERED} registered at a time; unregister one first`;
    return { field, found: `one more besides the ${registered.length} registered`, expected };
  }
  const all = registered.reduce((sum, one) => sum + one, bytes);
  if (all <= mostBytes) return undefined;
  const expected = `at most ${mostBytes} bytes of JSON in total; unregister one first`;
  return { field, found: `${all} bytes with those that are registered`, expected };
}

function sizeOf(descriptor: JsonObject, field: string): number {
  return utf8Length(JSON.stringify(descriptor[field] ?? null));
}
