import { digestJson, type HashText } from '../../hash/sha256.js';

/**
 * Everything that the signature over a decision covers (O-49), besides its time. The same decision has the same digest
 * in every client, gateway and verifier.
 */
export type SignedDecision = {
  readonly space: string;
  readonly proposal: string;
  readonly verdict: 'approve';
  /** Who decides. */
  readonly by: string;
  /** The digest of the call, over its method and params (O-25). */
  readonly call: string;
  /** Who runs it: one name; several if any of them may; none if that is open. */
  readonly runBy: readonly string[];
  /** The digest of what the one that runs it announced about the tool; `null` if nothing. */
  readonly definition: string | null;
};

/** Names the format of what is signed, so that no signature means two things. */
const DECISION = 'proffer/decision/v1';
const NEW_KEY = 'proffer/key/v1';
const SIGNATURE = 'proffer/signature/v1';

/** The digest of one decision; a signature covers one or many. */
export function decisionDigest(decision: SignedDecision, hash?: HashText): string {
  return digestJson({ type: DECISION, ...decision }, hash);
}

/** What is signed: the digests of the decisions, and when. */
export type SignedContent = {
  /** Milliseconds since 1970, on the signer's clock. */
  readonly at: number;
  readonly digests: readonly string[];
};

/** The challenge that a passkey answers, and the text that any other key signs. */
export function signingChallenge({ at, digests }: SignedContent, hash?: HashText): string {
  return digestJson({ type: SIGNATURE, at, digests }, hash);
}

/** What an earlier key signs to add another: the digest of the new one, as if that were a decision. */
export function newKeyDigest(
  key: { readonly space: string; readonly participant: string; readonly key: string },
  hash?: HashText,
): string {
  return digestJson({ type: NEW_KEY, ...key }, hash);
}

/** What a new key signs to show that its owner has it. */
export function registrationChallenge(
  registration: { readonly space: string; readonly participant: string; readonly at: number },
  hash?: HashText,
): string {
  return digestJson({ type: NEW_KEY, ...registration }, hash);
}
