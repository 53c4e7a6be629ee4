import type { Envelope } from '../../envelope/envelope.js';
import { fingerprint } from '../proposal/fingerprint.js';
import type { OperationRecord } from '../records.js';
import { type RememberedMessage, recallId } from './recent-ids.js';
import type { SpaceState } from './space.js';

/**
 * Whether a message was accepted before (O-3). Its sender gets the same answer even if what allowed
 * it has ended, like a grant after its last use.
 */
export function isRepeat(
  { recent, settings }: Pick<SpaceState, 'recent' | 'settings'>,
  envelope: Envelope,
  now: number,
): boolean {
  const seen = recallId(recent, envelope.id, now, settings.dedupWindow);
  return seen?.from === envelope.from && seen.fingerprint === fingerprint(envelope);
}

/** The sender and content of a remembered message. */
type Said = Pick<RememberedMessage, 'from' | 'fingerprint'>;

/** What is to be remembered about a message. */
export function saidIn(envelope: Envelope): Said {
  return { from: envelope.from, fingerprint: fingerprint(envelope) };
}

/**
 * Whether a record is what a message became, or a part of it became: it has the same id, sender and
 * content (O-47). Another record, wherever it was found, is never the answer to that message.
 *
 * @param said - the sender and content of the message, or of its part
 */
export function isRecordOf(record: OperationRecord, { id }: Pick<Envelope, 'id'>, said: Said): boolean {
  const { facts, principal, envelope } = record;
  const isSaid = envelope.id === id || envelope.id.startsWith(`${id}#`);
  return (
    isSaid && 'fingerprint' in facts && facts.fingerprint === said.fingerprint && principal === said.from
  );
}
