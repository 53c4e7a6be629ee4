import { refuseToFold } from '../../record/record.js';
import type { ModeDescriptor } from '../mode-descriptors/descriptor.js';
import { createModes, type ServedMode } from './create-modes.js';
import { decisionMode } from './decision/mode.js';
import { handoffMode } from './handoff/mode.js';
import { multiRoundMode } from './multi-round/mode.js';
import { proposalMode } from './proposal/mode.js';
import { quorumMode } from './quorum/mode.js';
import { taskMode } from './task/mode.js';

/** The supported modes, by name. A new one is a folder beside `proposal/` and an entry in this list. */
export const MODES: ReadonlyMap<string, ServedMode> = createModes([
  proposalMode,
  decisionMode,
  taskMode,
  handoffMode,
  quorumMode,
  multiRoundMode,
]);

/** The descriptors of all supported modes. */
export function servedModes(): readonly ModeDescriptor[] {
  return Array.from(MODES.values(), ({ descriptor }) => descriptor);
}

/** The mode of a name; `undefined` if it is not supported. */
export function findMode(name: string): ServedMode | undefined {
  return MODES.get(name);
}

/**
 * The mode of an existing session.
 *
 * @throws Error for an unknown one: the journal is from a newer version
 */
export function modeOf({ mode }: { readonly mode: string }): ServedMode {
  return MODES.get(mode) ?? refuseToFold('mode', mode);
}
