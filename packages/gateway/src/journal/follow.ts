import type { Journal, StoredRecord } from '@proffer/journal';

/** Follows a space, with as many records at a time as the journal delivers. */
export async function* follow(
  journal: Journal,
  space: string,
  { after, signal }: { readonly after: number; readonly signal: AbortSignal },
): AsyncGenerator<readonly StoredRecord[]> {
  if (journal.feedPieces !== undefined) return yield* journal.feedPieces(space, after, { signal });
  for await (const record of journal.feed(space, after, { signal })) yield [record];
}
