import type { Envelope } from '../../envelope/envelope.js';
import { createLookalikes } from '../../envelope/lookalike.js';
import { quote } from '../../json/describe.js';
import { textOf } from '../../json/fields.js';
import type { JsonObject } from '../../json/json.js';
import { failure, type Refusal, refuse } from '../../refusal/refusal.js';
import type { DecisionContext } from '../context.js';
import { checkMayAct, checkOther, checkUntil, readCapabilities, readUntil } from '../grants/decide-grant.js';
import { fingerprint } from '../proposal/fingerprint.js';
import type { SpaceState } from '../space/space.js';
import { checkInvitable, type Invited, invitationInForce } from './invitation.js';
import { isKicked } from './kick.js';

const DAY = 24 * 3_600_000;
/** How long an invitation lasts by default, and at most, in milliseconds. */
const USUAL = 7 * DAY;
const LONGEST = 365 * DAY;

/** How many invitations a space may have in force. */
const MAX_INVITATIONS = 1000;

/**
 * An invitation (O-51): lets somebody in with a new token, within what the inviter may do itself. After a kick, it lets
 * a participant of the configuration in again.
 */
export function decideInvite(
  space: SpaceState,
  envelope: Envelope,
  context: DecisionContext,
): { readonly record: Invited } | { readonly refused: Refusal } {
  const { from, payload } = envelope;
  const { now, sender } = context;
  const name = textOf(payload['participant']);
  const facts = { participant: name, fingerprint: fingerprint(envelope), audience: [name] };
  const record = { type: 'invited', time: now, principal: from, envelope } as const;
  const self = checkOther(from, { field: 'payload.participant', name });
  if (self !== undefined) return { refused: self };
  const { isConfigured = false } = context.rightsOf?.(name) ?? {};
  const { newToken: token = failure(refuse('unavailable', 'Tokens cannot be made here.')) } = context;
  // Somebody who needs no token, or cannot get one here, comes back with what let it in before the kick.
  if (isKicked(space, name) && (isConfigured || !token.ok)) return { record: { ...record, facts } };
  const until = readUntil(payload, now) ?? now + USUAL;
  const read = readCapabilities(envelope);
  const refused =
    checkForm(name, payload) ??
    checkNew(space, name, context) ??
    checkMayAct(context) ??
    checkUntil(until, now) ??
    checkLength(until, now) ??
    checkCount(space, now) ??
    (read.ok ? checkInvitable(read.value, sender?.capabilities.sources ?? []) : read.refusal);
  if (refused !== undefined || !read.ok) return { refused: refused ?? refuse('invalid_field', 'No one.') };
  if (!token.ok) return { refused: token.refusal };
  const invitation = {
    capabilities: read.value.map(({ source }) => source),
    token: token.value,
    until,
    ...(sender?.isConfigured === true ? { configured: true as const } : {}),
  };
  return { record: { ...record, facts: { ...facts, invitation } } };
}

/** Slashes would end up in the URLs and file names of clients. */
function checkForm(name: string, { capabilities }: JsonObject): Refusal | undefined {
  if (/[/\\]|\.\./.test(name)) {
    const field = 'payload.participant';
    const expected = 'a name without slashes and double dots';
    return refuse('invalid_field', `${field} has invalid characters.`, { field, found: name, expected });
  }
  if (capabilities !== undefined) return undefined;
  const field = 'payload.capabilities';
  const expected = 'what the participant may do';
  return refuse('missing_field', `${field} is missing.`, { field, expected });
}

/** A name stands for one participant: nobody is invited under a name that somebody has, or that looks like one. */
function checkNew(
  space: SpaceState,
  name: string,
  { now, isPresent, isConnected = isPresent, present, rightsOf }: DecisionContext,
): Refusal | undefined {
  const isKnown =
    rightsOf?.(name)?.isConfigured === true ||
    isConnected(name) ||
    invitationInForce(space, name, now) !== undefined;
  if (isKnown) {
    const sentence = `${quote(name)} already takes part in ${quote(space.settings.name)}.`;
    return refuse('already_exists', sentence, { participant: name });
  }
  const alike = createLookalikes([...invited(space, now), ...(present?.() ?? [])])(name);
  if (alike === undefined) return undefined;
  return refuse('not_invitable', `${quote(name)} could be mistaken for ${quote(alike)}.`, { name, alike });
}

function checkLength(until: number, now: number): Refusal | undefined {
  if (until <= now + LONGEST) return undefined;
  const field = 'payload.until';
  const expected = `within ${LONGEST / DAY} days`;
  return refuse('invalid_field', `${field} is too far away.`, { field, found: until, expected });
}

function checkCount(space: SpaceState, now: number): Refusal | undefined {
  const count = invited(space, now).length;
  if (count < MAX_INVITATIONS) return undefined;
  const sentence = `${quote(space.settings.name)} has ${count} invitations; the limit is ${MAX_INVITATIONS}.`;
  return refuse('too_many_invitations', sentence, { limit: MAX_INVITATIONS });
}

/** The names with an invitation in force. */
function invited(space: SpaceState, now: number): readonly string[] {
  return [...space.participants.keys()].filter((name) => invitationInForce(space, name, now) !== undefined);
}
