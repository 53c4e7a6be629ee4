import { EVERY_SPACE, type Journal, type StoredRecord, spaceOf } from '@proffer/journal';

/**
 * Hands every durable record of a space to `fold`, in order. Settles with the last `seq` of the space,
 * also when that record is removed. Rejects where the journal is damaged.
 */
export type Replay = (space: string, fold: (record: StoredRecord) => void) => Promise<number>;

/** Reads the history of each space separately. */
export function replayAlone(journal: Journal): Replay {
  return async (space, fold) => {
    const seq = await journal.lastSeq(space);
    for await (const record of journal.feed(space, 0, { follow: false })) fold(record);
    return seq;
  };
}

/**
 * One walk through the journal for all who ask before it begins: a start costs as much as there are
 * records, however many spaces they belong to (I-8).
 */
export function replayTogether(journal: Journal): {
  readonly replay: Replay;
  readonly run: () => Promise<void>;
} {
  const folds = new Map<string, (record: StoredRecord) => void>();
  const ends: Promise<number>[] = [];
  let begin: ((walking: Promise<void>) => void) | undefined;
  const walked = new Promise<void>((resolve) => {
    begin = resolve;
  });

  async function walk(): Promise<void> {
    // What comes after an end is read again by followers; what comes before it must be read here.
    await Promise.all(ends);
    for await (const record of journal.feed(EVERY_SPACE, 0, { follow: false })) {
      folds.get(spaceOf(record.stream))?.(record);
    }
  }

  return {
    async replay(space, fold) {
      folds.set(space, fold);
      const end = journal.lastSeq(space);
      ends.push(end);
      await walked;
      return await end;
    },
    async run() {
      const walking = walk();
      begin?.(walking);
      await walking;
    },
  };
}
