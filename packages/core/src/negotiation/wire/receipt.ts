import type { JsonObject } from '../../json/json.js';
import { hashCommitment, projectCommitment } from './commitment-hash.js';
import type { SessionMessage } from './session-messages.js';

/** What a receipt says besides what was committed. */
export interface ReceiptFacts {
  /** The Commitment in its protobuf form, in base64. */
  readonly wire: string;
  readonly issuer: string;
  /** When the Commitment was accepted, in milliseconds since 1970. */
  readonly acceptedAt: number;
}

/**
 * The receipt of a Commitment (N-29, RFC-MACP-0013): what a signature covers, and `attestations` are added to. It depends
 * on nothing but the record, so that it is always the same.
 */
export function receiptBody(
  { session_id, mode, payload }: SessionMessage<'Commitment'>,
  { wire, issuer, acceptedAt }: ReceiptFacts,
): JsonObject {
  return {
    receipt_format: 'macp-receipt/1',
    session_id,
    mode,
    commitment: projectCommitment(payload),
    commitment_hash: hashCommitment(payload),
    commitment_wire_b64: wire,
    semantics_rev: { implementation: 'proffer', rev: 1 },
    issuer,
    // Whole seconds.
    issued_at: new Date(acceptedAt).toISOString().replace(/\.\d+Z$/, 'Z'),
  };
}
