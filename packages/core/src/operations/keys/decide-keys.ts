import { authorize } from '../../capability/authorize.js';
import type { Envelope } from '../../envelope/envelope.js';
import { sha256 } from '../../hash/sha256.js';
import { quote } from '../../json/describe.js';
import { textOf } from '../../json/fields.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { DecisionContext, ParticipantRights } from '../context.js';
import { checkUntil, readUntil } from '../grants/decide-grant.js';
import { endedByRemoval } from '../membership/given.js';
import { checkKnown } from '../membership/kick.js';
import { fingerprint } from '../proposal/fingerprint.js';
import type { SpaceState } from '../space/space.js';
import { checkAssertion, readAssertion } from './check-assertion.js';
import {
  type KeyAllowed,
  type KeyRegistered,
  type KeyRevoked,
  keysInForce,
  keysOf,
  MAX_KEYS,
  type NewKey,
  type RegisteredKey,
} from './key.js';
import { newKeyDigest } from './signed-decision.js';

const DAY = 24 * 3_600_000;

type Decided<Record> =
  | { readonly record: Record; readonly refused?: never }
  | { readonly refused: Refusal; readonly record?: never };

/** An operator allows a participant to register one key, with a code that only the operator is shown (O-49). */
export function decideAllowKey(
  space: SpaceState,
  envelope: Envelope,
  context: DecisionContext,
): Decided<KeyAllowed> {
  const { payload } = envelope;
  const { now, newToken: code } = context;
  const participant = textOf(payload['participant']);
  const until = readUntil(payload, now) ?? now + DAY;
  const refused = checkKnown(space, participant, context) ?? checkUntil(until, now);
  if (refused !== undefined) return { refused };
  if (code?.ok !== true) return { refused: refuse('unavailable', 'Codes cannot be made here.') };
  const { value: hash } = code;
  return { record: { type: 'key_allowed', ...about(envelope, participant, now, { hash, until }) } };
}

/**
 * A participant registers a key of its own (O-49): with the code of an operator, or by a signature with a key that it has
 * registered before.
 */
export function decideRegisterKey(
  space: SpaceState,
  envelope: Envelope,
  context: DecisionContext,
): Decided<KeyRegistered> {
  const { from, payload } = envelope;
  const { now, newKey } = context;
  if (newKey === undefined) return { refused: refuse('unavailable', 'Keys cannot be registered here.') };
  const refused = checkNew(space, from, newKey);
  if (refused !== undefined) return { refused };
  const vouched = voucherOf(space, envelope, newKey, context);
  if ('refused' in vouched) return vouched;
  const label = textOf(payload['label']).trim();
  const key = { ...newKey, ...(label === '' ? {} : { label }), vouched };
  return { record: { type: 'key_registered', ...about(envelope, from, now, { key }) } };
}

/** A key stops counting at once (O-49): its owner revokes it, or an operator. */
export function decideRevokeKey(
  space: SpaceState,
  envelope: Envelope,
  context: DecisionContext,
): Decided<KeyRevoked> {
  const { from, payload } = envelope;
  const key = textOf(payload['key']);
  const participant = payload['participant'] === undefined ? from : textOf(payload['participant']);
  if (participant !== from) {
    const refused = context.sender && checkOperator(from, context.sender, participant);
    if (refused !== undefined) return { refused };
  }
  if (!keysInForce(space, participant).some(({ id }) => id === key)) {
    const sentence = `${quote(participant)} has no such key.`;
    return { refused: refuse('unknown_key', sentence, { participant, key }) };
  }
  return { record: { type: 'key_revoked', ...about(envelope, participant, context.now, { key }) } };
}

/** Whether somebody may let a participant register a key, and revoke those of others. */
function checkOperator(
  from: string,
  { capabilities }: Pick<ParticipantRights, 'capabilities'>,
  participant: string,
): Refusal | undefined {
  return authorize(capabilities, {
    from,
    kind: 'mcpx.allow.key',
    to: [participant],
    payload: { participant },
  });
}

/** Whether somebody is an operator of keys: one who may let at least themselves register one. */
export function mayAllowKeys(name: string, rights: Pick<ParticipantRights, 'capabilities'>): boolean {
  return checkOperator(name, rights, name) === undefined;
}

function about<More extends object>(envelope: Envelope, participant: string, time: number, more: More) {
  const facts = { participant, fingerprint: fingerprint(envelope), audience: [participant], ...more };
  return { time, principal: envelope.from, envelope, facts };
}

/** A key stands for one participant, once. */
function checkNew(space: SpaceState, from: string, { id }: NewKey): Refusal | undefined {
  for (const [name, participant] of space.participants)
    if (keysOf(participant).some((key) => key.id === id)) {
      const whose = name === from ? 'You have registered this key before' : `${quote(name)} has this key`;
      return refuse('key_exists', `${whose}.`, { participant: name, key: id });
    }
  const count = keysInForce(space, from).length;
  if (count < MAX_KEYS) return undefined;
  return refuse('too_many_keys', `${quote(from)} has ${count} keys; the limit is ${MAX_KEYS}.`, {
    limit: MAX_KEYS,
  });
}

/** On whose word a key is registered, or why nobody's. */
function voucherOf(
  space: SpaceState,
  envelope: Envelope,
  { id }: NewKey,
  context: DecisionContext,
): RegisteredKey['vouched'] | { readonly refused: Refusal } {
  const { from, payload } = envelope;
  const assertion = readAssertion(payload['signature']);
  if (assertion !== undefined) {
    const digest = newKeyDigest({ space: space.settings.name, participant: from, key: id }, context.hash);
    const refused = checkAssertion(space, envelope, { assertion, digest, earlier: [] }, context);
    return refused === undefined ? { key: assertion.key } : { refused };
  }
  const { code } = space.participants.get(from)?.ring ?? {};
  const given = textOf(payload['code']);
  const hash = (context.hash ?? sha256)(given);
  const isValid = code !== undefined && code.until > context.now && !endedByRemoval(space, code);
  if (isValid && code.hash === hash) return { code: code.by };
  const why =
    given === '' ? 'A first key needs the code of an operator.' : 'This code is not valid, or not any more.';
  return { refused: refuse('key_not_allowed', why) };
}
