import { constants, copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptySpace, evolveSpace, type OperationRecord, type SpaceState, spaceSettings } from '@proffer/core';
import { EVERY_SPACE, type Journal, JournalError, openLocalJournal, spaceOf } from '@proffer/journal';
import { CommandFailure } from '../command-failure.js';
import { EXIT } from '../exit-code.js';

/** What a journal's records lead to. */
export interface Fold {
  readonly folder: string;
  readonly spaces: ReadonlyMap<string, SpaceState>;
  readonly records: number;
  /** The last `seq` that was folded; 0 if there was none. */
  readonly seq: number;
  /** Records of streams that hold no operations, such as negotiations; they are counted, not folded. */
  readonly others: number;
  /** A gateway has the folder open, so a copy was folded. */
  readonly copied: boolean;
}

/**
 * Folds a journal as a gateway does when it starts (I-3). A folder that a gateway has open is copied
 * first: records are only ever appended, so a copy is what the journal was a moment ago.
 *
 * @throws CommandFailure for a journal that cannot be read
 */
export async function foldJournal(
  folder: string,
  options: { readonly until?: number; readonly space?: string } = {},
): Promise<Fold> {
  const opened = await openLocalJournal(folder);
  if (opened.ok) {
    const { value: journal } = opened;
    try {
      return { folder, copied: false, ...(await fold(journal, options)) };
    } finally {
      await journal.close();
    }
  }
  const { code, message, details } = opened.refusal;
  if (code !== 'journal_locked') throw new CommandFailure({ exit: EXIT.refused, code, message, details });
  const copy = await mkdtemp(join(tmpdir(), 'proffer-replay-'));
  try {
    await copyJournal(folder, copy);
    return { ...(await foldJournal(copy, options)), folder, copied: true };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function fold(
  journal: Journal,
  { until = Number.POSITIVE_INFINITY, space }: { readonly until?: number; readonly space?: string },
): Promise<Omit<Fold, 'folder' | 'copied'>> {
  const spaces = new Map<string, SpaceState>();
  let records = 0;
  let others = 0;
  let seq = 0;
  try {
    for await (const record of journal.feed(space ?? EVERY_SPACE, 0, { follow: false })) {
      if (record.seq > until) break;
      records++;
      seq = record.seq;
      const name = spaceOf(record.stream);
      if (!isOperation(record.stream, name)) {
        others++;
        continue;
      }
      const before = spaces.get(name) ?? emptySpace(spaceSettings({ name }));
      spaces.set(name, evolveSpace(before, record as unknown as OperationRecord));
    }
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    const { code, message, details } = error.refusal;
    throw new CommandFailure({ exit: EXIT.refused, code, message, details }, error);
  }
  return { spaces, records, others, seq };
}

function isOperation(stream: string, space: string): boolean {
  return stream.startsWith(`${space}/proposal/`) || stream.startsWith(`${space}/participant/`);
}

/**
 * Copies what is written there, without knowing its format; locks are the gateway's, indexes are made again,
 * and a draft is nothing yet, and may be gone in a moment.
 */
async function copyJournal(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && !/^lock-|\.index$|\.draft$/.test(entry.name))
    .map(({ name }) => name);
  // In order, so that no later record comes without an earlier one.
  for (const name of names.sort())
    await copyFile(join(from, name), join(to, name), constants.COPYFILE_FICLONE);
}
