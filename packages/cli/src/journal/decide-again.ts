import { type JournalJudge, judgeJournal } from '@proffer/evidence';
import { nativeAssertionCheck } from '@proffer/evidence/node';
import { EVERY_SPACE, type Journal, nativeSha256, type StoredRecord } from '@proffer/journal';

/** Judges the records of a journal that is open. */
export function judgeOf(journal: Journal): JournalJudge {
  const head = journal.headNow?.bind(journal);
  return judgeJournal({
    hasSeveralWriters: journal.peers !== undefined,
    hash: nativeSha256,
    checkAssertion: nativeAssertionCheck(),
    ...(head === undefined
      ? {}
      : {
          isLast: (stream: string, version: number) => head(stream).version === version,
          isRemoved: (stream: string) => head(stream).removed > 0,
        }),
  });
}

/** All records of a journal; each is seen with the one after it. */
export async function* readPieces(
  journal: Journal,
  see: (record: StoredRecord, next: StoredRecord | undefined) => void = () => undefined,
): AsyncGenerator<StoredRecord, void> {
  let before: StoredRecord | undefined;
  const options = { follow: false };
  const pieces =
    journal.feedPieces?.(EVERY_SPACE, 0, options) ?? onePiece(journal.feed(EVERY_SPACE, 0, options));
  for await (const piece of pieces) {
    for (const record of piece) {
      if (before !== undefined) see(before, record);
      before = record;
      yield record;
    }
  }
  if (before !== undefined) see(before, undefined);
}

async function* onePiece(
  records: AsyncIterable<StoredRecord>,
): AsyncGenerator<readonly StoredRecord[], void> {
  for await (const record of records) yield [record];
}
