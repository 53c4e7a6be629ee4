import { isJsonObject, type JsonValue } from '@proffer/core/json';
import type { SavedSnapshot, SnapshotStore } from '../journal.js';
import { JournalError } from '../journal-error.js';
import type { StoredRecord } from '../stored-record.js';
import { type Disk, writeWhole } from './files/index.js';
import { damaged, END, encodeFrame, isEnd, readFrames, snapshotPath } from './segments/index.js';
import type { TaskQueue } from './task-queue.js';

/** The version of the file format. The content of the pieces is versioned separately. */
const SNAPSHOT_FORMAT = 1;

/**
 * The content of the first frame: the last record the snapshot includes. Its hash identifies the
 * journal.
 */
type SnapshotHeader = {
  readonly snapshot: number;
  readonly seq: number;
  readonly stream: string;
  readonly version: number;
  readonly hash: string;
};

export interface SnapshotFileOptions {
  readonly folder: string;
  readonly disk: Disk;
  /** The record with a `seq`; `undefined` if there is none, or it is removed. */
  readonly recordAt: (seq: number) => Promise<StoredRecord | undefined>;
  /** Throws if the folder is no longer where it was. */
  readonly checkPlace: () => void;
  /** Runs work alongside the appends, one task after another. */
  readonly turns: TaskQueue;
}

/**
 * A file in the journal's folder, made of the same frames as a segment: the first says which record
 * it includes last, then come the pieces, and a mark shows that they are complete. Nothing depends on
 * it: if it is missing, cut off, damaged, or from another journal or another time, it is not used.
 */
export function createSnapshotFile(options: SnapshotFileOptions): SnapshotStore {
  const { folder, disk, recordAt, checkPlace, turns } = options;
  const path = snapshotPath(folder);
  return {
    async load() {
      const frames = readFrames({ path, from: 0 });
      try {
        const { value: first } = await frames.next();
        const header =
          first !== undefined && 'kind' in first && first.number === 0 && first.kind === 'segment'
            ? parseHeader(first.body)
            : undefined;
        if (header === undefined)
          throw new JournalError(damaged(path, 0, 'it does not begin as a snapshot does'));
        return isOfJournal(header, await recordAt(header.seq)) ? savedAt(path, header.seq) : undefined;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      } finally {
        await frames.return(undefined);
      }
    },
    save: (seq, pieces) =>
      turns.take(async () => {
        const record = await recordAt(seq);
        if (record === undefined) return false;
        const { stream, version, hash } = record;
        const header = { snapshot: SNAPSHOT_FORMAT, seq, stream, version, hash } satisfies SnapshotHeader;
        checkPlace();
        await writeWhole(disk, path, framesOf(header, pieces));
        return true;
      }),
  };
}

function* framesOf(header: SnapshotHeader, pieces: Iterable<string>): Generator<Buffer> {
  let number = 0;
  yield encodeFrame('segment', number++, `${JSON.stringify(header)}\n`);
  for (const piece of pieces) yield encodeFrame('batch', number++, piece);
  yield encodeFrame('mark', number, END);
}

function savedAt(path: string, seq: number): SavedSnapshot {
  return { seq, pieces: () => readPieces(path) };
}

async function* readPieces(path: string): AsyncGenerator<string> {
  const frames = readFrames({ path, from: 0 });
  let isWhole = false;
  let end = 0;
  try {
    for (let number = 0; ; number++) {
      const { value: frame, done } = await frames.next();
      if (done === true) {
        if (isWhole && frame === undefined) return;
        break;
      }
      if (frame.number !== number || isWhole) break;
      end = frame.end;
      isWhole = isEnd(frame);
      if (frame.kind === 'batch') yield frame.body.toString();
    }
  } finally {
    await frames.return(undefined);
  }
  throw new JournalError(damaged(path, end, 'a piece of the snapshot is missing or was changed'));
}

function parseHeader(body: Buffer): SnapshotHeader | undefined {
  const value = JSON.parse(body.toString()) as JsonValue;
  return isJsonObject(value) && value['snapshot'] === SNAPSHOT_FORMAT ? (value as SnapshotHeader) : undefined;
}

/**
 * Whether the journal has the last record it includes: it is not from another journal, and was not
 * lost since.
 */
function isOfJournal(header: SnapshotHeader, record: StoredRecord | undefined): boolean {
  if (record === undefined) return false;
  return record.hash === header.hash && record.stream === header.stream && record.version === header.version;
}
