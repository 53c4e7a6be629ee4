import type { Envelope } from '../envelope/envelope.js';
import { isJsonObject } from '../json/json.js';
import type { Targeting } from './records.js';
import type { SpaceSettings } from './settings.js';

/**
 * Reads whom a proposal is meant for (O-20). Plain `to` means: these are preferred, not exclusive.
 * The envelope is checked already, so fields have their types.
 */
export function readTargeting(
  envelope: Envelope,
  settings: SpaceSettings,
  now: number,
): Targeting | undefined {
  const { targeting } = envelope.payload;
  const given = isJsonObject(targeting) ? targeting : {};
  const preferred = (given['preferred'] ?? envelope.to ?? []) as readonly string[];
  if (preferred.length === 0) return undefined;
  const exclusive = given['exclusive'] === true;
  const window = exclusive
    ? (given['exclusive_timeout'] ?? given['fallback_timeout'] ?? settings.exclusiveTimeout)
    : given['fallback_timeout'];
  return {
    preferred,
    exclusive,
    fallback: given['fallback_to_broadcast'] !== false,
    ...(typeof window === 'number' ? { until: now + window } : {}),
  };
}
