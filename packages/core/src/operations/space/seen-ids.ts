import { type OperationRecord, streamOf } from '../records.js';
import { askedList } from '../routing/listing.js';
import type { TakenId } from './recent-ids.js';

const NONE: readonly TakenId[] = [];

/**
 * The ids that a record takes (O-3): that of its message, and of the batch it is a part of. None for
 * the gateway's own notices, which are never sent again.
 *
 * @param version - of the record in its stream
 */
export function seenIds(space: string, record: OperationRecord, version: number): readonly TakenId[] {
  if (!('fingerprint' in record.facts)) return NONE;
  const { principal: from, time, facts, envelope } = record;
  const asked = record.type === 'said' ? askedList(envelope) : undefined;
  const stream = streamOf(space, record);
  const known = { from, fingerprint: facts.fingerprint, stream, version, time };
  const seen = asked === undefined ? known : { ...known, asked };
  const batch = 'batch' in record.facts ? record.facts.batch : undefined;
  if (batch === undefined) return [[envelope.id, seen]];
  // The message became several records, as its parts show: in whatever order they arrive, it is remembered as
  // one.
  const whole = { from, fingerprint: batch.fingerprint, stream: '', version: 0, time };
  return [
    [envelope.id, seen],
    [batch.id, whole],
  ];
}
