import { count } from '@proffer/core/words';
import { type DecidedAgain, judgeJournal } from '@proffer/evidence';
import { nativeAssertionCheck } from '@proffer/evidence/node';
import {
  EVERY_SPACE,
  type Journal,
  type JournalPlace,
  nativeSha256,
  type StoredRecord,
} from '@proffer/journal';
import type { Screen } from '../terminal/shell.js';
import { readJournal } from './read-journal.js';
import { compareLog, type KeptEvidence, type LogReport } from './signed-log.js';

/** What the records of a journal show, beside that each is as it was sealed. */
export interface CheckedContents {
  readonly decided: DecidedAgain;
  /** The signed log; absent if there is none. */
  readonly log?: LogReport;
}

/**
 * Decides every record of a journal again, and compares the journal with its log and with checkpoints, in one reading.
 *
 * @param removed - how many records retention has removed
 * @param screen - where to show how far it is, if that is a terminal
 */
export async function checkContents(
  place: JournalPlace,
  {
    kept,
    removed,
    screen,
  }: { readonly kept: KeptEvidence; readonly removed: number; readonly screen: Screen },
): Promise<CheckedContents> {
  const { value } = await readJournal(place, async (journal) => {
    const head = journal.headNow?.bind(journal);
    const judge = judgeJournal({
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
    const bar = progressBar(screen, await journal.lastSeq(EVERY_SPACE));
    const log = await compareLog(journal, kept, {
      removed,
      records: readPieces(journal, (record, next) => {
        judge.judge(record, next);
        bar.reach(record.seq);
      }),
    });
    bar.clear();
    return { decided: judge.found, ...(log === undefined ? {} : { log }) };
  });
  return value;
}

/** All records of a journal; each is seen with the one after it. */
async function* readPieces(
  journal: Journal,
  see: (record: StoredRecord, next: StoredRecord | undefined) => void,
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

const BAR = 30;

/** Shows how many of the records are checked; on a terminal only. */
function progressBar(
  screen: Screen,
  total: number,
): { readonly reach: (done: number) => void; readonly clear: () => void } {
  let shown = 0;
  if (screen.isTTY !== true) return { reach() {}, clear() {} };
  return {
    reach(done) {
      const percent = Math.floor((100 * done) / Math.max(1, total));
      if (percent === shown) return;
      shown = percent;
      const full = Math.round((BAR * percent) / 100);
      const bar = '█'.repeat(full) + '░'.repeat(BAR - full);
      screen.write(`\r${bar} ${percent} % of ${count(total, 'record')} checked`);
    },
    clear: () => {
      if (shown > 0) screen.write('\r\u001b[K');
    },
  };
}
