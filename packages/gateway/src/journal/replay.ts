import { EVERY_SPACE, type Journal, type StoredRecord, spaceOf } from '@proffer/journal';

/** Follows a space, with as many records at a time as the journal delivers. */
export async function* follow(
  journal: Journal,
  space: string,
  { after, signal }: { readonly after: number; readonly signal: AbortSignal },
): AsyncGenerator<readonly StoredRecord[]> {
  if (journal.feedPieces !== undefined) return yield* journal.feedPieces(space, after, { signal });
  for await (const record of journal.feed(space, after, { signal })) yield [record];
}

/**
 * Passes every durable record of a space to `fold`, in order: those after a snapshot, if there is one.
 * Resolves with the last `seq` of the space, even if that record is removed. Rejects if the journal is
 * damaged.
 */
export type Replay = (space: string, fold: (record: StoredRecord) => void) => Promise<number>;

/** Reads the history of each space separately. */
export function replayAlone(journal: Journal): Replay {
  return async (space, fold) => {
    const seq = await journal.lastSeq(space);
    for await (const records of history(journal, space, 0)) {
      for (const record of records) if (record.seq <= seq) fold(record);
    }
    return seq;
  };
}

/**
 * One pass through the journal for all who ask before it begins: a start costs as much as there are records,
 * however many spaces they belong to (I-8).
 *
 * @param after - the last record that all who ask already have
 */
export function replayTogether(
  journal: Journal,
  after = 0,
): {
  readonly replay: Replay;
  readonly run: () => Promise<void>;
} {
  const folds = new Map<string, (record: StoredRecord) => void>();
  const ends = new Map<string, Promise<number>>();
  let isWalking = false;
  let begin: ((walking: Promise<void>) => void) | undefined;
  const walked = new Promise<void>((resolve) => {
    begin = resolve;
  });

  async function walk(): Promise<void> {
    const known = new Map<string, number>();
    // What comes after an end is read again by followers; what comes before it must be read here.
    for (const [space, end] of ends) known.set(space, await end);
    for await (const records of history(journal, EVERY_SPACE, after)) {
      for (const record of records) {
        const space = spaceOf(record.stream);
        if (record.seq <= (known.get(space) ?? 0)) folds.get(space)?.(record);
      }
    }
  }

  return {
    async replay(space, fold) {
      if (isWalking) throw new Error(`history is already being read, without ${space}`);
      folds.set(space, fold);
      const end = journal.lastSeq(space);
      ends.set(space, end);
      await walked;
      return await end;
    },
    async run() {
      isWalking = true;
      const walking = walk();
      begin?.(walking);
      await walking;
    },
  };
}

/** What is in the journal now, with as many records at a time as it delivers. */
async function* history(
  journal: Journal,
  space: string | typeof EVERY_SPACE,
  after: number,
): AsyncGenerator<readonly StoredRecord[]> {
  if (journal.feedPieces !== undefined) return yield* journal.feedPieces(space, after, { follow: false });
  for await (const record of journal.feed(space, after, { follow: false })) yield [record];
}
