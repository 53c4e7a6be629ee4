import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject, type JsonValue } from '@proffer/core/json';
import type { GatewayConfig } from './config.js';
import { writtenKey } from './written-key.js';

/**
 * The parts of a configuration that all gateways of a journal should have in common, each as a short hash
 * under the name of its key. Secrets are left out.
 *
 * @param started - the startup configuration: spaces, limits and what else a reload does not change
 * @param current - what it was last reloaded with. Default: the same
 */
export function sharedParts(started: GatewayConfig, current = started): JsonObject {
  const { limits, jwt, notify } = { ...started, jwt: current.jwt, notify: current.notify };
  return {
    dev: hash(started.dev),
    spaces: Object.fromEntries(Array.from(started.spaces, ([name, settings]) => [name, hashEach(settings)])),
    negotiation: hash(started.negotiation),
    // Only those that are counted across all gateways.
    limits: hashEach({
      messagesPerParticipant: limits.messagesPerParticipant,
      pendingProposalsPerParticipant: limits.pendingProposalsPerParticipant,
      negotiationMessagesPerParticipant: limits.negotiationMessagesPerParticipant,
      sessionStartsPerParticipant: limits.sessionStartsPerParticipant,
      sessionStarts: limits.sessionStarts,
      openSessionsPerParticipant: limits.openSessionsPerParticipant,
      openSessions: limits.openSessions,
    }),
    journal: { retention: hash(started.journal.retention) },
    participants: hash([current.participants, current.tokens, current.unlistedSubjects]),
    capabilities: hash(current.capabilities),
    jwt: hash(jwt && { issuer: jwt.issuer, audience: jwt.audience, algorithms: jwt.algorithms }),
    notify: hash(notify && { channels: [...notify.channels.keys()], links: notify.links, url: notify.url }),
  };
}

/** The keys in which two gateways differ, as an operator writes them: `spaces.main.review`. */
export function differingKeys(own: JsonValue | undefined, other: JsonValue | undefined): readonly string[] {
  if (!isPart(own) || !isPart(other)) return own === other ? [] : [''];
  const keys = new Set([...Object.keys(own), ...Object.keys(other)]);
  return [...keys].flatMap((key) =>
    differingKeys(own[key], other[key]).map((rest) => (rest === '' ? key : `${key}.${rest}`)),
  );
}

function isPart(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hashEach(section: object): JsonObject {
  return Object.fromEntries(Object.entries(section).map(([key, value]) => [writtenKey(key), hash(value)]));
}

/** Eight digits are enough to notice a change, and too few to guess what was hashed. */
function hash(value: unknown): string {
  return createHash('sha256')
    .update(canonicalJson(plain(value)))
    .digest('hex')
    .slice(0, 8);
}

/** As JSON with sorted keys. */
function plain(value: unknown): JsonValue {
  if (value === undefined || value === null || typeof value === 'function') return null;
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, one]) => [String(key), plain(one)]));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object') return value as JsonValue;
  // A capability is compared as written.
  if ('source' in value && 'kind' in value) return plain(value.source);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}
