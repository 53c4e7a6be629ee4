import type { Envelope } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import { fingerprint } from '../proposal/fingerprint.js';
import type { ProposalRecord, Withdrawn } from '../records.js';
import type { RememberedMessage } from './recent-ids.js';
import type { BatchPart, SpaceDecision, StreamAppend } from './space-decision.js';

/** The batch that a record is a part of. */
export type BatchReference = NonNullable<Withdrawn['facts']['batch']>;

/** A message about one of the proposals that a batch names. */
type PartEnvelope = Envelope & { readonly correlationId: string };

/** Each part's id is the batch's followed by `#1` … `#1000`, and may have 128 characters. */
const LONGEST_BATCH_ID = 123;

/**
 * A batch is one message per named proposal (O-35): each has its own outcome, subscribers get one message each, and an
 * interrupted batch can be sent again, because each part is recognised on its own.
 */
export function decideBatch(
  envelope: Envelope,
  proposals: readonly string[],
  decidePart: (part: PartEnvelope, batch: BatchReference) => SpaceDecision,
): SpaceDecision {
  if (envelope.id.length > LONGEST_BATCH_ID) return { refused: refuseLongBatchId(envelope.id) };
  const batch = { id: envelope.id, fingerprint: fingerprint(envelope) };
  const appends: StreamAppend[] = [];
  const dueAppends: StreamAppend[] = [];
  const originals: RememberedMessage[] = [];
  const parts = proposals.map((proposal, index): BatchPart => {
    const part = { ...envelope, id: `${envelope.id}#${index + 1}`, correlationId: proposal };
    const decision = decidePart(part, batch);
    appends.push(...(decision.appends ?? []));
    dueAppends.push(...(decision.dueAppends ?? []));
    originals.push(...(decision.originals ?? []));
    const { refused, unchanged } = decision;
    return {
      id: part.id,
      proposal,
      ...(refused === undefined ? {} : { refused }),
      ...(unchanged === undefined ? {} : { unchanged }),
    };
  });
  if (dueAppends.length > 0) return { unchanged: 'late', dueAppends };
  if (appends.length > 0) return { appends, parts };
  if (originals.length > 0) return { unchanged: 'duplicate', originals, parts };
  // Refused as a whole only if every part is.
  const refusal = parts.every(({ refused }) => refused !== undefined) ? parts[0]?.refused : undefined;
  return refusal === undefined ? { unchanged: 'late', parts } : { refused: refusal, parts };
}

/** The record of a part says which batch it is a part of. */
export function inBatch(record: ProposalRecord, batch: BatchReference): ProposalRecord {
  const isMessage =
    record.type === 'withdrawn' || record.type === 'rejected' || record.type === 'status_reported';
  return isMessage ? { ...record, facts: { ...record.facts, batch } } : record;
}

function refuseLongBatchId(id: string): Refusal {
  return refuse('invalid_field', `The id ${quote(id)} is too long for a batch.`, {
    field: 'id',
    expected: `at most ${LONGEST_BATCH_ID} characters`,
  });
}
