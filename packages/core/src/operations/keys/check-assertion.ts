import type { Envelope } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import { textsIn } from '../../json/fields.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { DecisionContext } from '../context.js';
import type { SpaceState } from '../space/space.js';
import { keysOf, type RegisteredKey } from './key.js';
import { type SignedContent, signingChallenge } from './signed-decision.js';

/** A signature by a participant's key, as in a message (O-49). */
export type Assertion = SignedContent & {
  /** The id of the key. */
  readonly key: string;
  /** In base64url, as are the other two: what an authenticator signs, if the key is a passkey. */
  readonly signature: string;
  readonly authenticatorData?: string;
  readonly clientDataJSON?: string;
};

/**
 * Whether an assertion is a signature of its own challenge by this key: why not, or `undefined`. Must be
 * deterministic. Whether it is about the decision, recent and by the right key is up to the rules.
 */
export type AssertionCheck = (
  assertion: Assertion,
  key: Pick<RegisteredKey, 'type' | 'jwk' | 'domain'>,
  challenge: string,
) => string | undefined;

/** What the record of a signed message says about its signature. */
export type SignatureFacts = {
  readonly key: string;
  readonly at: number;
  readonly definition?: string;
};

/** How old a signature may be when it arrives, and how far ahead the signer's clock, in milliseconds. */
export const SIGNATURE_AGE = 5 * 60_000;
const CLOCK_AHEAD = 60_000;

/** Whether a signature was made just before its message was accepted. @param now - when that was, in milliseconds */
export function isRecent({ at }: Pick<Assertion, 'at'>, now: number): boolean {
  return at >= now - SIGNATURE_AGE && at <= now + CLOCK_AHEAD;
}

/** The assertion in a message's payload, which was checked when it was read. */
export function readAssertion(found: JsonValue | undefined): Assertion | undefined {
  if (!isJsonObject(found)) return undefined;
  const { digests, ...rest } = found as JsonObject & Assertion;
  return { ...rest, digests: textsIn(digests) };
}

/**
 * Whether an assertion is by a key that its sender has now, recent, about this and genuine; and when that key signed.
 *
 * @param digest - of what it has to be about
 * @param earlier - the signatures that already count there: one is good for one message
 */
export function checkAssertion(
  space: SpaceState,
  { from }: Pick<Envelope, 'from'>,
  { assertion, digest, earlier }: AssertedDigest,
  { now, checkAssertion: check, hash }: Pick<DecisionContext, 'now' | 'checkAssertion' | 'hash'>,
): Refusal<'signature_invalid'> | undefined {
  const { key: id, at, digests } = assertion;
  const key = keysOf(space.participants.get(from)).find((each) => each.id === id);
  if (key === undefined) return invalid(`${quote(from)} has no such key`, { why: 'unknown_key', key: id });
  if (key.revoked !== undefined)
    return invalid('the key was revoked', { why: 'revoked_key', key: id, at: key.revoked.at });
  if (!isRecent(assertion, now))
    return invalid(`it was made ${at > now ? 'in the future' : 'too long ago'}`, { why: 'stale', at, now });
  if (earlier.some((one) => one.key === id && one.at >= at))
    return invalid('it was used before', { why: 'replayed', at });
  if (!digests.includes(digest))
    return invalid('it is about something else', { why: 'other_decision', expected: digest });
  const fault =
    check === undefined
      ? 'signatures cannot be checked here'
      : check(assertion, key, signingChallenge(assertion, hash));
  return fault === undefined ? undefined : invalid(fault, { why: 'false', key: id });
}

interface AssertedDigest {
  readonly assertion: Assertion;
  readonly digest: string;
  readonly earlier: readonly SignatureFacts[];
}

function invalid(why: string, details: JsonObject): Refusal<'signature_invalid'> {
  return refuse('signature_invalid', `The signature does not count: ${why}.`, details);
}
