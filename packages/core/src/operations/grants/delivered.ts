import type { Envelope } from '../../envelope/envelope.js';
import type { Granted } from './records.js';

/** A grant that says nothing of when it ends is for as long as the participant is there; those who see it are told. */
export function deliveredGrant({ envelope, facts }: Granted): Envelope {
  const { session } = facts;
  if (session === undefined || envelope.payload['session'] === true) return envelope;
  return { ...envelope, payload: { ...envelope.payload, session } };
}
