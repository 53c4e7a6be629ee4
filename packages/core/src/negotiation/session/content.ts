import type { JsonObject, JsonValue } from '../../json/json.js';
import type { MacpEnvelope } from '../wire/macp-envelope.js';

/** Combines two 32-bit numbers into one that a double represents exactly. */
const HIGH_BITS = 0x20_0000;
const LOW = 0x9e37_79b9;
const HIGH = 0x85eb_ca6b;

/**
 * A number that is equal for two equal messages of one type, and hardly ever for others: it
 * distinguishes a repeated message from another one under the same id (N-6). It is compared only with
 * messages of the same sender, so a sender that makes two messages collide fools only itself. The
 * sender's own time does not count: a retrying client may have changed it.
 */
export function contentOf({ message_type, payload }: Pick<MacpEnvelope, 'message_type' | 'payload'>): number {
  const low = mix(hashText(message_type, LOW), hashValue(payload, LOW));
  const high = mix(hashText(message_type, HIGH), hashValue(payload, HIGH));
  return (high % HIGH_BITS) * 0x1_0000_0000 + low;
}

function hashValue(value: JsonValue | undefined, seed: number): number {
  if (typeof value === 'string') return hashText(value, seed);
  if (typeof value !== 'object' || value === null) return hashText(String(value), seed + 1);
  if (Array.isArray(value)) {
    let hash = seed + 2;
    for (const item of value as readonly JsonValue[]) hash = mix(hash, hashValue(item, seed));
    return hash >>> 0;
  }
  let hash = seed + 3;
  // A sum, because the journal returns keys in a different order than the sender wrote them.
  for (const key of Object.keys(value)) {
    const member = (value as JsonObject)[key];
    if (member !== undefined) hash = (hash + mix(hashText(key, seed), hashValue(member, seed))) >>> 0;
  }
  return hash;
}

function hashText(text: string, seed: number): number {
  let hash = seed ^ text.length;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193);
  }
  return mix(hash, seed);
}

function mix(left: number, right: number): number {
  let hash = Math.imul(left ^ (right >>> 15), 0x85eb_ca6b) + right;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
