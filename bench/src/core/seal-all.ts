import { type HashText } from '@proffer/core';
import {
  emptyStream,
  headAfter,
  type RecordContent,
  type SealedRecord,
  sealRecord,
} from '@proffer/core/records';
import { nativeSha256 } from './native-sha256.js';

/** Seals the records of one stream from the beginning. */
export function sealAll<Content extends RecordContent>(
  stream: string,
  records: readonly Content[],
  hash: HashText = nativeSha256,
): readonly SealedRecord<Content>[] {
  let head = emptyStream(stream);
  return records.map((content) => {
    const record = sealRecord(content, head, hash);
    head = headAfter(record);
    return record;
  });
}
