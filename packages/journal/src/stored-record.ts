import { RECORD_SCHEMA, type RecordContent, type SealedRecord, type StreamHead } from '@proffer/core/records';

/**
 * A record as a journal returns it: sealed into its stream, with its position in the whole journal.
 * `seq` is not covered by the hash (see `Seal` in core).
 */
export type StoredRecord<Content extends RecordContent = RecordContent> = SealedRecord<Content> & {
  /** Increases over the whole journal, across restarts and failed writes. Gaps mean nothing. */
  readonly seq: number;
};

/** A record with its seal. Field by field: engines are slow to add to a copy. */
export function storedRecord(
  { type, time, principal, envelope, facts }: RecordContent,
  { stream, version: before, hash: prev }: StreamHead,
  { hash, seq }: { readonly hash: string; readonly seq: number },
): StoredRecord {
  const schema = RECORD_SCHEMA;
  const version = before + 1;
  return facts === undefined
    ? { type, time, principal, envelope, schema, stream, version, prev, hash, seq }
    : { type, time, principal, envelope, facts, schema, stream, version, prev, hash, seq };
}

/** The space that a stream belongs to: the text before the first slash, or all of it. */
export function spaceOf(stream: string): string {
  const slash = stream.indexOf('/');
  return slash === -1 ? stream : stream.slice(0, slash);
}

/** Whether a stream certainly belongs to a space: faster than {@link spaceOf} if it usually does. */
export function isOfSpace(stream: string, space: string): boolean {
  return stream.charCodeAt(space.length) === SLASH && stream.startsWith(space);
}

const SLASH = 0x2f;
