import type { Envelope } from '../../envelope/envelope.js';
import type { CounterAccepted, Countered } from './records.js';

/** A counter-offer, with what the gateway adds: its proposal, its digest, what it changes. */
export function deliveredCounter({ envelope, facts }: Countered): Envelope {
  const { proposal, digest, amendment } = facts;
  const { params, reason, executor } = envelope.payload;
  const payload = {
    params,
    reason,
    ...(executor === undefined ? {} : { executor }),
    proposal,
    digest,
    amendment,
  };
  return { ...envelope, payload };
}

/** An acceptance, with the proposal and the digest of what it accepts, and the progress so far (O-29). */
export function deliveredAcceptance({ envelope, facts }: CounterAccepted): Envelope {
  const { proposal, digest, author, given, needed, missing } = facts;
  const progress = needed === undefined ? {} : { given, needed, missing };
  return { ...envelope, payload: { proposal, digest, author, ...progress } };
}
