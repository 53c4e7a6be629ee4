import type { JsonValue } from '../../json/json.js';
import { bytes, type FieldReader } from '../wire/readers.js';
import { findMode } from './registry.js';

/** What a field of a message takes, for people who write one. */
export interface MessageField {
  readonly name: string;
  /** As in a refusal: `a number from 0 to 1`. */
  readonly expected: string;
  /** Whether a message without it is refused. */
  readonly isRequired: boolean;
  /** Whether it holds any bytes, which JSON carries as base64. */
  readonly isBytes: boolean;
  /** Whether it may have this value. */
  readonly fits: (value: JsonValue) => boolean;
}

/** A value that no field of a message takes, so that its reader says what it expects. */
const NOTHING_FITS: JsonValue = {};

/**
 * The fields of a message that a client may send in a mode, from the readers that check it. `undefined` for a mode
 * or a message that this version does not know.
 */
export function messageFields(mode: string, type: string): readonly MessageField[] | undefined {
  const fields = findMode(mode)?.messageReaders.get(type)?.fields;
  if (fields === undefined) return undefined;
  return Object.entries(fields).map(([name, reader]) => describeField(name, reader));
}

function describeField(name: string, reader: FieldReader<unknown>): MessageField {
  const misfit = reader(NOTHING_FITS, []);
  return {
    name,
    expected: misfit.ok ? 'anything' : misfit.problem.expected,
    isRequired: !reader(undefined, []).ok,
    isBytes: reader === bytes,
    fits: (value) => reader(value, []).ok,
  };
}
