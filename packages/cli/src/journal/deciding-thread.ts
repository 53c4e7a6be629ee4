import { parentPort, workerData } from 'node:worker_threads';
import { EVERY_SPACE, openLocalJournal } from '@proffer/journal';
import { judgeOf, readPieces } from './decide-again.js';
import type { DecidingMessage, DecidingTask } from './decide-apart.js';

/** The program of a thread that decides a journal again. If it cannot open the journal, it ends without a word. */
const { folder } = workerData as DecidingTask;
const opened = await openLocalJournal(folder, { reading: true });
if (opened.ok) {
  const journal = opened.value;
  const total = await journal.lastSeq(EVERY_SPACE);
  const judge = judgeOf(journal);
  const step = Math.ceil(total / 100);
  tell({ reached: 0, total });
  const records = readPieces(journal, (record, next) => {
    judge.judge(record, next);
    if (record.seq % step === 0) tell({ reached: record.seq, total });
  });
  for await (const _ of records);
  await journal.close();
  tell({ decided: judge.found });
}

function tell(message: DecidingMessage): void {
  parentPort?.postMessage(message, []);
}
