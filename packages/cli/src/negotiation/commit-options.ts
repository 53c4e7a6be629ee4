import { readAttachedCall } from '@proffer/core/agreement';
import { type AnyProjection, findMode, isSessionMessage, SessionProjection } from '@proffer/core/negotiation';
import { shellWord } from '../terminal/shell.js';

/** The options of a commitment in a hint: with the offer that was agreed if it carries a call, which then runs. */
export function commitOptions(projection: AnyProjection, committer: string): string {
  const offer = agreedOffer(projection, committer);
  return offer === undefined
    ? ' --action … --scope … --reason …'
    : ` --call ${shellWord(offer)} --action … --reason …`;
}

function agreedOffer(projection: AnyProjection, committer: string): string | undefined {
  if (projection instanceof SessionProjection) return undefined;
  const { transcript, terms, negotiation } = projection;
  const { offers } = findMode(transcript[0]?.mode ?? '') ?? {};
  if (terms === undefined || offers === undefined) return undefined;
  for (const message of transcript) {
    const offer = isSessionMessage(message) ? undefined : offers.read(message);
    const isAgreed = offer !== undefined && offers.isAgreed(negotiation, terms, offer.id, committer);
    if (isAgreed && readAttachedCall(offer.attachment)?.ok === true) return offer.id;
  }
  return undefined;
}
