import type { Envelope } from '../../envelope/envelope.js';
import type { Granted } from './records.js';

/** A grant without an end time still has an end; its readers see which. */
export function deliveredGrant({ envelope, facts }: Granted): Envelope {
  const { payload } = envelope;
  const { session, until } = facts;
  if (session === undefined) return envelope;
  const isTimed = until === undefined || payload['until'] !== undefined || payload['ttl'] !== undefined;
  if (payload['session'] === session && isTimed) return envelope;
  return { ...envelope, payload: { ...payload, session, ...(isTimed ? {} : { until }) } };
}
