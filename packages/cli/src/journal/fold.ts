import {
  emptySpace,
  evolveSpace,
  type OperationRecord,
  type SpaceState,
  spaceSettings,
} from '@proffer/core/operations';
import { type CutOffWrite, EVERY_SPACE, type Journal, spaceOf } from '@proffer/journal';
import { type JournalPlace, nameOfPlace } from './place.js';
import { readJournal } from './read-journal.js';

/** The state that results from a journal's records. */
export interface JournalFold {
  readonly folder: string;
  readonly spaces: ReadonlyMap<string, SpaceState>;
  readonly records: number;
  /** The last `seq` that was folded; 0 if there was none. */
  readonly seq: number;
  /** Records of streams that hold no operations, such as negotiations; they are counted, not folded. */
  readonly others: number;
  /** A gateway has the folder open, so a copy was folded. */
  readonly copied: boolean;
  /** A last write that was cut off and left out. */
  readonly cutOff?: CutOffWrite;
}

/**
 * Folds a journal as a gateway does when it starts (I-3); a copy if a gateway has it open.
 *
 * @throws CommandFailure for a journal that cannot be read
 */
export async function foldJournal(
  folder: JournalPlace,
  options: { readonly until?: number; readonly space?: string } = {},
): Promise<JournalFold> {
  const { value, ...reading } = await readJournal(folder, (journal) => fold(journal, options));
  return { folder: nameOfPlace(folder), ...reading, ...value };
}

async function fold(
  journal: Journal,
  { until = Number.POSITIVE_INFINITY, space }: { readonly until?: number; readonly space?: string },
): Promise<Omit<JournalFold, 'folder' | 'copied' | 'cutOff'>> {
  const spaces = new Map<string, SpaceState>();
  let records = 0;
  let others = 0;
  let seq = 0;
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
  return { spaces, records, others, seq };
}

/** Whether a stream belongs to operations: a proposal's, or a participant's. */
export function isOperation(stream: string, space: string): boolean {
  return stream.startsWith(`${space}/proposal/`) || stream.startsWith(`${space}/participant/`);
}
