import { isGrantable } from '../../capability/authorize.js';
import {
  type Capability,
  type CapabilitySource,
  contains,
  parseCapability,
} from '../../capability/capability.js';
import type { Envelope } from '../../envelope/envelope.js';
import { describe, quote } from '../../json/describe.js';
import { listOf, textOf } from '../../json/fields.js';
import { type JsonObject } from '../../json/json.js';
import { failure, type Refusal, type Result, refuse, success } from '../../refusal/refusal.js';
import type { DecisionContext } from '../context.js';
import { fingerprint } from '../proposal/fingerprint.js';
import type { SpaceState } from '../space/space.js';
import { type Granted, isInForce } from './grant.js';

/** How many grants a participant may have at a time. */
const MAX_GRANTS = 100;

/** The default duration of a grant for an agent's session: a working day, in milliseconds. */
const SESSION_LIMIT = 12 * 3_600_000;

/**
 * A grant (O-41): only of what the granter's own configured capabilities allow, and never of kinds
 * that decide for others. Limited in time, in uses, or by default until the participant leaves. One
 * for an agent's session is limited in time: its end cannot be seen from outside.
 */
export function decideGrant(
  space: SpaceState,
  envelope: Envelope,
  context: DecisionContext,
): { readonly record: Granted } | { readonly refused: Refusal } {
  const { from, payload } = envelope;
  const { now, sender } = context;
  const to = textOf(payload['to']);
  const uses = typeof payload['uses'] === 'number' ? payload['uses'] : undefined;
  const named = typeof payload['session'] === 'string' ? payload['session'] : undefined;
  const isBounded = uses !== undefined || named === undefined;
  const until = readUntil(payload, now) ?? (isBounded ? undefined : now + SESSION_LIMIT);
  const endsOnLeaving = payload['session'] === true || (until === undefined && uses === undefined);
  const session = named ?? (endsOnLeaving ? true : undefined);
  const read = readCapabilities(envelope);
  const refused =
    checkOther(from, { field: 'payload.to', name: to }) ??
    checkMayAct(context) ??
    checkUntil(until, now) ??
    (session === true ? checkThere(to, context) : undefined) ??
    checkCount(space, to, now) ??
    (read.ok ? checkGrantable(read.value, sender?.capabilities.sources ?? []) : read.refusal);
  if (refused !== undefined || !read.ok) return { refused: refused ?? refuse('invalid_field', 'No grant.') };
  const record: Granted = {
    type: 'granted',
    time: now,
    principal: from,
    envelope,
    facts: {
      participant: to,
      grant: envelope.id,
      fingerprint: fingerprint(envelope),
      audience: [to],
      capabilities: read.value.map(({ source }) => source),
      within: sender?.capabilities.sources ?? [],
      ...(until === undefined ? {} : { until }),
      ...(uses === undefined ? {} : { uses }),
      ...(session === undefined ? {} : { session }),
      ...(sender?.subject === undefined ? {} : { subject: sender.subject }),
      ...(sender?.isConfigured === true ? { configured: true } : {}),
    },
  };
  return { record };
}

export function readCapabilities({ payload }: Envelope): Result<readonly Capability[]> {
  const { capabilities } = payload;
  const read: Capability[] = [];
  for (const [index, value] of listOf(capabilities).entries()) {
    const parsed = parseCapability(value, `payload.capabilities[${index}]`);
    if (!parsed.ok) return failure(parsed.refusal);
    read.push(parsed.value);
  }
  return success(read);
}

/** Why a granter cannot grant these: they cannot be granted at all, or exceed its own capabilities. */
export function checkGrantable(
  wanted: readonly Capability[],
  own: readonly CapabilitySource[],
): Refusal | undefined {
  const held = own.flatMap((source) => {
    const parsed = parseCapability(source);
    return parsed.ok ? [parsed.value] : [];
  });
  for (const [index, capability] of wanted.entries()) {
    const field = `payload.capabilities[${index}]`;
    const found = describe(capability.source);
    if (!isGrantable(capability.kind.text)) {
      const sentence = `${field} is ${found}: the rights to approve, delegate, grant or revoke cannot be granted.`;
      return refuse('not_grantable', sentence, { field, capability: capability.source });
    }
    if (!held.some((mine) => contains(mine, capability))) {
      const sentence = `${field} is ${found}, which is more than you may do yourself.`;
      return refuse('not_grantable', sentence, {
        field,
        capability: capability.source,
        your_capabilities: own,
      });
    }
  }
  return undefined;
}

/** A reviewer that cannot run anything cannot grant it either. */
export function checkMayAct({ sender }: DecisionContext): Refusal | undefined {
  if (sender?.reviewOnly !== true) return undefined;
  return refuse('not_grantable', 'You may only review, so you cannot grant anything.');
}

/** Why a message cannot be about its own sender. */
export function checkOther(
  from: string,
  { field, name }: { readonly field: string; readonly name: string },
): Refusal | undefined {
  if (from !== name) return undefined;
  return refuse('invalid_field', `${field} is your own name.`, { field, expected: 'another participant' });
}

export function checkUntil(until: number | undefined, now: number): Refusal | undefined {
  if (until === undefined || until > now) return undefined;
  const field = 'payload.until';
  return refuse('invalid_field', `${field} is in the past.`, {
    field,
    found: until,
    expected: `after ${now}`,
  });
}

function checkThere(
  to: string,
  { isPresent, isConnected = isPresent }: DecisionContext,
): Refusal | undefined {
  if (isConnected(to)) return undefined;
  const sentence = `${quote(to)} is not connected, so a grant that ends when it disconnects would end at once.`;
  return refuse('target_not_found', `${sentence} Set an end time or a number of uses.`, {
    field: 'payload.to',
    found: to,
  });
}

function checkCount(space: SpaceState, to: string, now: number): Refusal | undefined {
  const grants = space.participants.get(to)?.grants.filter((grant) => isInForce(space, grant, now)) ?? [];
  if (grants.length < MAX_GRANTS) return undefined;
  const sentence = `${quote(to)} has ${grants.length} grants; the limit is ${MAX_GRANTS}.`;
  return refuse('too_many_grants', sentence, { limit: MAX_GRANTS });
}

/** `ttl` counts from now, on the gateway's clock; `until` is RFC 3339, or milliseconds since 1970. */
export function readUntil({ until, ttl }: JsonObject, now: number): number | undefined {
  if (typeof ttl === 'number') return now + ttl;
  if (typeof until === 'number') return until;
  return typeof until === 'string' ? Date.parse(until) : undefined;
}
