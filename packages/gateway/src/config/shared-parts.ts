import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject, type JsonValue } from '@proffer/core/json';
import type { GatewayConfig, JwtConfig, NotifyConfig } from './config.js';
import { writtenKey } from './written-key.js';

/**
 * The parts of a configuration that all gateways of a journal should have in common, each as a short hash
 * under the name of its key. Secrets are left out.
 *
 * @param started - the startup configuration: spaces, limits and what else a reload does not change
 * @param current - what it was last reloaded with. Default: the same
 */
export function sharedParts(started: GatewayConfig, current = started): JsonObject {
  const { limits } = started;
  const { participants, tokens, unlistedSubjects, capabilities, jwt, notify } = current;
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
    participants: hashUnordered({ participants, tokens }),
    capabilities: hashUnordered(capabilities),
    jwt: hashUnordered(jwt && { ...comparedOfJwt(jwt), unlistedSubjects }),
    notify: hashUnordered(notify && comparedOfNotify(notify)),
  };
}

/** Keys written in the configuration may be secret (HS256), so they are left out. */
function comparedOfJwt({ issuer, audience, algorithms, clockSkew, keys }: JwtConfig): object {
  return { issuer, audience, algorithms, clockSkew, keys: 'url' in keys ? keys.url : 'inline' };
}

/**
 * Channels are compared by name and type only: their other settings may be secret. So are a route's token and
 * where it leads: whoever knows a topic of ntfy can read it.
 */
function comparedOfNotify({
  url,
  links,
  redact,
  detectSecrets,
  push,
  channels,
  participants,
}: NotifyConfig): object {
  const routes = Array.from(participants, ([name, all]) => [
    name,
    all.map((route) => ({ ...route, to: undefined, token: undefined })),
  ]);
  return {
    url,
    links,
    redact,
    detectSecrets,
    push: { services: push.services, contact: push.contact, digest: push.digest },
    channels: Array.from(channels, ([name, { type }]) => ({ name, type })),
    routes: Object.fromEntries(routes),
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

/** The hash of lists whose order means nothing. */
function hashUnordered(value: unknown): string {
  return hash(value, 'sorted');
}

type Lists = 'as written' | 'sorted';

/** Eight digits are enough to notice a change, and too few to guess what was hashed. */
function hash(value: unknown, lists: Lists = 'as written'): string {
  return createHash('sha256')
    .update(canonicalJson(plain(value, lists)))
    .digest('hex')
    .slice(0, 8);
}

/** As JSON with sorted keys. */
function plain(value: unknown, lists: Lists): JsonValue {
  if (value === undefined || value === null || typeof value === 'function') return null;
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, one]) => [String(key), plain(one, lists)]));
  if (Array.isArray(value)) {
    const items = value.map((one) => plain(one, lists));
    return lists === 'sorted' ? items.map(canonicalJson).sort() : items;
  }
  if (typeof value !== 'object') return value as JsonValue;
  // A capability is compared as written.
  if ('source' in value && 'kind' in value) return plain(value.source, 'as written');
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one, lists)]));
}
