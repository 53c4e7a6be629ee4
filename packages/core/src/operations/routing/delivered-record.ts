import { isJsonObject, type JsonObject } from '../../json/json.js';
import type { SealedRecord } from '../../record/record.js';
import type { OperationRecord } from '../records.js';
import { deliveredEnvelope } from './delivery.js';

/** A record of a space as sealed. */
export type SealedOperation = SealedRecord<OperationRecord>;

/**
 * The `record` that a follower gets with a message, if it asked for records: everything that was
 * sealed and is not in the message itself. It includes the recorded envelope only if the delivered
 * one differs.
 */
export function recordBeside(record: SealedOperation): JsonObject {
  const { type, time, principal, facts, schema, stream, version, prev, hash, envelope } = record;
  const differs = deliveredEnvelope(record) !== envelope;
  return {
    type,
    time,
    principal,
    facts,
    schema,
    stream,
    version,
    prev,
    hash,
    ...(differs ? { envelope } : {}),
  };
}

/**
 * The record of a message that was delivered with one, to be folded or verified. `undefined` for a
 * message without. The sender is trusted to have sent a record: `verifyStream` shows whether it
 * matches the seal.
 */
export function recordInMessage(message: JsonObject): SealedOperation | undefined {
  const { record, seq: _seq, time: _time, ...envelope } = message;
  if (!isJsonObject(record)) return undefined;
  return { ...record, envelope: record['envelope'] ?? envelope } as unknown as SealedOperation;
}
