import { failure, type Refusal, type Result, refuse, success } from '@proffer/core';
import { canonicalJson, quote } from '@proffer/core/json';
import {
  isCommitment,
  receiptBody,
  type Session,
  type SessionRecord,
  type SessionStatus,
  sessionStream,
} from '@proffer/core/negotiation';
import { publicJwk } from '@proffer/evidence/node';
import type { Journal } from '@proffer/journal';
import { encodePayload } from '@proffer/wire';
import type { JournalLog } from '../evidence/index.js';

/** What signs receipts: the log of the journal, if it has one. */
export type ReceiptLog = Pick<JournalLog, 'keys' | 'sign'>;

/** The issuer of receipts that nobody signs. */
const UNNAMED = 'proffer';

/**
 * The receipt of a session that is resolved, as JSON text (N-29). It is made from the record each time, not stored: the
 * same record and the same key give the same bytes.
 */
export async function makeReceipt(
  journal: Journal,
  session: Session,
  log: ReceiptLog | undefined,
): Promise<Result<string>> {
  if (session.status !== 'RESOLVED') return failure(refuseReceipt(session.id, session.status));
  // Nothing comes after a Commitment.
  for await (const stored of journal.read(sessionStream(session.id), session.version)) {
    const { envelope, time } = stored as typeof stored & SessionRecord;
    if (!isCommitment(envelope)) break;
    const body = receiptBody(envelope, {
      wire: Buffer.from(encodePayload(envelope, envelope.payload)).toString('base64'),
      issuer: `runtime:${log?.keys[0]?.name ?? UNNAMED}`,
      acceptedAt: time,
    });
    const signed =
      log === undefined ? [] : [{ type: 'jws', jws: log.sign(Buffer.from(canonicalJson(body))) }];
    return success(canonicalJson({ ...body, attestations: signed }));
  }
  return failure(
    refuse('RECEIPT_UNAVAILABLE', `The commitment of session ${quote(session.id)} could not be read.`),
  );
}

/** The keys that receipts are checked with, as a JWK set in JSON text. */
export function receiptKeys(log: ReceiptLog | undefined): string {
  return canonicalJson({ keys: (log?.keys ?? []).map(publicJwk) });
}

function refuseReceipt(id: string, status: SessionStatus): Refusal {
  const what = `Session ${quote(id)} is ${status}, not RESOLVED, so it has no receipt.`;
  return refuse('RECEIPT_UNAVAILABLE', what, { field: 'session_state', found: status, expected: 'RESOLVED' });
}
