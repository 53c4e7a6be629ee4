import { throwUnsupported } from '../../record/record.js';
import type { ModeDescriptor } from '../mode-descriptors/descriptor.js';
import type { ModePolicies } from '../policy/policy-rules.js';
import { createModes, type ServedMode } from './create-modes.js';
import { decisionMode } from './decision/mode.js';
import { declaredMode } from './declared/mode.js';
import { isExtensionName } from './declared/name.js';
import { DECLARED_POLICIES } from './declared/policies.js';
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
export function modeOf({ mode, declared }: SessionMode): ServedMode {
  if (declared !== undefined) return declaredMode(declared);
  return MODES.get(mode) ?? throwUnsupported('mode', mode);
}

/** The mode of a session: its name, and for a registered one its descriptor, whatever became of that since. */
export interface SessionMode {
  readonly mode: string;
  readonly declared?: ModeDescriptor | undefined;
}

/** The policies of a mode; those of registered modes are all alike. `undefined` for a name that no mode may have. */
export function policiesOf(mode: string): ModePolicies | undefined {
  return findMode(mode)?.policies ?? (isExtensionName(mode) ? DECLARED_POLICIES : undefined);
}
