import type { Journal } from '@proffer/journal';
import { cursorRecord, cursorStream } from '../outbox/records.js';

/** How far a space was followed, as stored in the journal. */
export interface FollowCursor {
  readonly seq: number;
  /**
   * Another gateway may have moved it, too. Which one wins does not matter, since outboxes know what they have seen.
   */
  moveTo(seq: number): Promise<void>;
}

export async function openCursor(
  space: string,
  { journal, clock }: { readonly journal: Journal; readonly clock: () => number },
): Promise<FollowCursor> {
  const stream = cursorStream(space);
  const { version: last } = await journal.head(stream);
  let version = last;
  let seq = 0;
  if (last > 0) {
    for await (const record of journal.read(stream, last)) seq = Number(record.facts?.['seq'] ?? 0);
  }
  return {
    get seq() {
      return seq;
    },
    async moveTo(next) {
      if (next <= seq) return;
      const outcome = await journal.append(stream, version, [cursorRecord(next, clock())]);
      version = outcome.status === 'appended' ? version + 1 : (await journal.head(stream)).version;
      seq = next;
    },
  };
}
