import type { Envelope } from '../../envelope/envelope.js';
import { fingerprint } from '../proposal/fingerprint.js';
import type { OperationRecord } from '../records.js';
import { recallId } from './recent-ids.js';
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

/**
 * Whether a record is what a message became, or a part of it became: it has the same id, sender and
 * content (O-47). Another record, wherever it was found, is never the answer to that message.
 */
export function isRecordOf(record: OperationRecord, envelope: Envelope): boolean {
  const { facts, principal } = record;
  if (!('fingerprint' in facts) || principal !== envelope.from) return false;
  const batch = 'batch' in facts ? facts.batch : undefined;
  const said = record.envelope.id === envelope.id ? { id: envelope.id, ...facts } : batch;
  return said?.id === envelope.id && said.fingerprint === fingerprint(envelope);
}
