import { defined } from '@proffer/core/json';
import type { DecidedAgain } from '@proffer/evidence';
import { EVERY_SPACE, type JournalPlace } from '@proffer/journal';
import type { Screen } from '../terminal/shell.js';
import { judgeOf, readPieces } from './decide-again.js';
import type { DecidedApart } from './decide-apart.js';
import { progressBar } from './progress-bar.js';
import { readJournal } from './read-journal.js';
import { compareLog, type KeptEvidence, type LogReport } from './signed-log.js';

/** What the records of a journal show, beside that each is as it was sealed. */
export interface CheckedContents {
  readonly decided: DecidedAgain;
  /** The signed log; absent if there is none. */
  readonly log?: LogReport;
}

export interface CheckContentsOptions {
  readonly kept: KeptEvidence;
  /** How many records retention has removed. */
  readonly removed: number;
  /** Where to show how far it is, if that is a terminal. */
  readonly screen: Screen;
  /** Another thread that decides them again. Default: this one does. */
  readonly apart?: DecidedApart | undefined;
}

/**
 * Decides every record of a journal again, and compares the journal with its log and with checkpoints. Without another
 * thread, in one reading.
 */
export async function checkContents(
  place: JournalPlace,
  { kept, removed, screen, apart }: CheckContentsOptions,
): Promise<CheckedContents> {
  if (apart !== undefined && (await apart.isReading)) {
    const { value: log } = await readJournal(place, (journal) =>
      compareLog(journal, kept, { removed, records: readPieces(journal) }),
    );
    const decided = await apart.decided;
    if (decided !== undefined) return { decided, ...defined({ log }) };
  }
  const { value } = await readJournal(place, async (journal) => {
    const judge = judgeOf(journal);
    const bar = progressBar(screen);
    const total = await journal.lastSeq(EVERY_SPACE);
    const log = await compareLog(journal, kept, {
      removed,
      records: readPieces(journal, (record, next) => {
        judge.judge(record, next);
        bar.reach(record.seq, total);
      }),
    });
    bar.clear();
    return { decided: judge.found, ...defined({ log }) };
  });
  return value;
}
