import { objectOf, textsIn } from '../json/fields.js';
import type { JsonObject, JsonValue } from '../json/json.js';
import type { Envelope } from './envelope.js';

/** The fields of a proposal that say whom it prefers, besides `targeting` (O-48). */
const PREFERRING = ['fulfiller', 'preferred_fulfillers', 'preferred_participant'];

/** Whom a proposal prefers, apart from what `targeting` says. */
export function preferredIn(payload: JsonObject): readonly string[] {
  return PREFERRING.flatMap((field) => oneOrMore(payload[field]));
}

/** Whether the addressees of a proposal are selected by capability (O-38, O-48). */
export function asksForCapable({ targeting, required_capabilities: needed }: JsonObject): boolean {
  return objectOf(targeting)['capable'] === true || textsIn(needed).length > 0;
}

const DELEGATION = 'mcpx.delegate.review';

/** Whether a message only takes back what its sender gave: then it names nobody, and it does not matter who had it. */
export function takesBack(kind: string, payload: JsonObject): boolean {
  return kind === DELEGATION && payload['revoke'] === true;
}

/** The field of the payload with the participant that a message is about, by kind. */
const ABOUT: ReadonlyMap<string, string> = new Map([
  [DELEGATION, 'to'],
  ['mcpx.grant.capability', 'to'],
  ['mcpx.revoke.capability', 'to'],
  ['mcpx.invite.participant', 'participant'],
  ['mcpx.kick.participant', 'participant'],
  ['mcpx.allow.key', 'participant'],
  ['mcpx.unregister.key', 'participant'],
  ['stream.grant-write', 'participant_id'],
  ['stream.revoke-write', 'participant_id'],
  ['stream.transfer-ownership', 'new_owner'],
]);

/**
 * Everyone whom a message names as a recipient, in its `to` or in its payload. Empty if it may reach anyone: it names
 * nobody, or the gateway selects its recipients.
 */
export function recipientsOf(
  kind: string,
  { to = [], payload }: Pick<Envelope, 'to' | 'payload'>,
): readonly string[] {
  if (kind === 'stream.request') {
    // The target alone says who gets the stream.
    const target = textsIn(payload['target']);
    return target.length === 0 ? [] : [...to, ...target];
  }
  // A delegation is read by everyone, and is for the deputy alone.
  if (to.length === 0 && kind !== DELEGATION) return [];
  if (!kind.startsWith('mcp.proposal.')) return [...to, ...oneOrMore(payload[ABOUT.get(kind) ?? ''])];
  if (asksForCapable(payload)) return [];
  return [...to, ...textsIn(objectOf(payload['targeting'])['preferred']), ...preferredIn(payload)];
}

function oneOrMore(names: JsonValue | undefined): readonly string[] {
  return typeof names === 'string' ? [names] : textsIn(names);
}
