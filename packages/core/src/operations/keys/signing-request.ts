import { sameJson } from '../../json/canonical.js';
import { defined } from '../../json/defined.js';
import { isJsonObject } from '../../json/json.js';
import type { Refusal } from '../../refusal/refusal.js';
import {
  decisionDigest,
  newKeyDigest,
  type SignedContent,
  type SignedDecision,
  signingChallenge,
} from './signed-decision.js';

/** What a key is asked to sign: the decisions that it covers, and the challenge that stands for them (O-49). */
export type SigningRequest = SignedContent & {
  /** Empty if an earlier key signs for a new one. */
  readonly decisions: readonly SignedDecision[];
  readonly challenge: string;
};

/** Why nothing is signed if the gateway asks for something else than what was shown. */
export const ASKED_OTHER =
  'The gateway asks to sign something else than what was shown. Nothing was approved. Look at the call again.';

/** The request to sign decisions, all of them at once. @param at - milliseconds since 1970 */
export function requestToSign(decisions: readonly SignedDecision[], at: number): SigningRequest {
  const digests = decisions.map((decision) => decisionDigest(decision));
  return { at, digests, decisions, challenge: signingChallenge({ at, digests }) };
}

/** The request to an earlier key to sign for a new one. */
export function requestToSignKey(key: Parameters<typeof newKeyDigest>[0], at: number): SigningRequest {
  const digests = [newKeyDigest(key)];
  return { at, digests, decisions: [], challenge: signingChallenge({ at, digests }) };
}

/** What the signer of an approval was shown. */
export type ShownDecision = {
  /** The space that the signer entered: one may have proposals and calls of another. */
  readonly space: string;
  readonly proposal: string;
  /** The digest of the call. */
  readonly call: string;
  /** Who would run it, if that was shown. */
  readonly executor?: string | undefined;
  /** The digest of what that participant announced about the tool, if that was shown. */
  readonly definition?: string | undefined;
};

/**
 * What a refusal asks to be signed; `undefined` for any other refusal. Nobody signs what they have not seen: `changed` if
 * it is something else than what was shown.
 */
export function decisionAsked(
  { code, details }: Pick<Refusal, 'details'> & { readonly code: string },
  { space, proposal, call, executor, definition }: ShownDecision,
): SignedDecision | 'changed' | undefined {
  const { decision } = details;
  if (code !== 'signature_required' || !isJsonObject(decision)) return undefined;
  const shown = {
    space,
    proposal,
    call,
    verdict: 'approve',
    ...(executor === undefined ? {} : { runBy: [executor] }),
    ...defined({ definition }),
  };
  const asked = Object.fromEntries(Object.keys(shown).map((key) => [key, decision[key] ?? null]));
  return sameJson(asked, shown) ? (decision as SignedDecision) : 'changed';
}
