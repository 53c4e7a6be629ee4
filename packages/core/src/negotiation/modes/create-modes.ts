import type { JsonObject } from '../../json/json.js';
import { DEFAULT_POLICY } from '../policy/built-in.js';
import { COMMON_READERS } from '../wire/payloads.js';
import type { FieldReader } from '../wire/readers.js';
import type { Mode } from './mode.js';

/** A mode, with everything a session needs to look up. */
export interface ServedMode extends Mode {
  /**
   * The reader of each message that a client may send in a session, by type, including the Commitment if it has one.
   * A map, because incoming strings as object keys would have to be interned first.
   */
  readonly messageReaders: ReadonlyMap<string, FieldReader<JsonObject>>;
}

/** A mode with what a session looks up in it. Only a mode that lists the Commitment has one. */
export function serveMode(mode: Mode): ServedMode {
  const hasCommitment = mode.descriptor.message_types.includes('Commitment');
  return {
    ...mode,
    messageReaders: new Map<string, FieldReader<JsonObject>>([
      ...Object.entries<FieldReader<JsonObject>>(mode.readers),
      ...(hasCommitment ? [['Commitment', COMMON_READERS.Commitment] as const] : []),
    ]),
  };
}

/**
 * The modes of a list, by name.
 *
 * @throws Error for two modes of one name, a message type that means something else in every mode,
 * and a mode without a default policy
 */
export function createModes(modes: readonly Mode[]): ReadonlyMap<string, ServedMode> {
  const byName = new Map<string, ServedMode>();
  for (const mode of modes) {
    const { mode: name } = mode.descriptor;
    const taken = Object.keys(mode.readers).find((type) => Object.hasOwn(COMMON_READERS, type));
    if (byName.has(name)) throw new Error(`Duplicate mode ${name}.`);
    if (taken !== undefined) throw new Error(`${name} cannot have a ${taken} of its own.`);
    if (!mode.policies.builtIn.has(DEFAULT_POLICY)) throw new Error(`${name} has no ${DEFAULT_POLICY}.`);
    byName.set(name, serveMode(mode));
  }
  return byName;
}
