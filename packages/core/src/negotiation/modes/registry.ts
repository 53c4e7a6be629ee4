import { refuseToFold } from '../../record/refuse-to-fold.js';
import type { ModeDescriptor } from '../mode-descriptors/descriptor.js';
import { createModes, type ServedMode } from './create-modes.js';
import { proposalMode } from './proposal/mode.js';

/** The modes that are served, by name. A new one is a room beside `proposal/` and its place in this list. */
export const MODES: ReadonlyMap<string, ServedMode> = createModes([proposalMode]);

/** The descriptors of all modes that are served. */
export function servedModes(): readonly ModeDescriptor[] {
  return Array.from(MODES.values(), ({ descriptor }) => descriptor);
}

/** The mode of a name; `undefined` for one that is not served. */
export function findMode(name: string): ServedMode | undefined {
  return MODES.get(name);
}

/**
 * The mode of a session that there is.
 *
 * @throws Error for one that this version does not serve: the journal is from a newer one
 */
export function modeOf({ mode }: { readonly mode: string }): ServedMode {
  return MODES.get(mode) ?? refuseToFold('mode', mode);
}
