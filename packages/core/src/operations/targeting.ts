import type { Envelope } from '../envelope/envelope.js';
import { isJsonObject } from '../json/json.js';
import type { Targeting } from './records.js';
import type { SpaceSettings } from './settings.js';

/**
 * Reads whom a proposal is meant for (O-20). Plain `to` means: these are preferred, not exclusive. A
 * proposer that may not fulfil its own proposal is not among them, whatever it says: nobody could wait
 * for it. The envelope is checked already, so fields have their types.
 */
export function readTargeting(
  envelope: Envelope,
  settings: SpaceSettings,
  now: number,
): { readonly targeting?: Targeting; readonly addressees: readonly string[] } {
  const { targeting } = envelope.payload;
  const given = isJsonObject(targeting) ? targeting : {};
  const { to = [] } = envelope;
  const mayAct = (name: string): boolean => settings.selfFulfilment || name !== envelope.from;
  const preferred = ((given['preferred'] ?? to) as readonly string[]).filter(mayAct);
  const addressees = [...new Set([...to, ...preferred])].filter(mayAct);
  if (preferred.length === 0) return { addressees };
  const exclusive = given['exclusive'] === true;
  const window = exclusive
    ? (given['exclusive_timeout'] ?? given['fallback_timeout'] ?? settings.exclusiveTimeout)
    : given['fallback_timeout'];
  return {
    addressees,
    targeting: {
      preferred,
      exclusive,
      fallback: given['fallback_to_broadcast'] !== false,
      ...(typeof window === 'number' ? { until: now + window } : {}),
    },
  };
}
