import type { JsonObject } from '@proffer/core/json';
import { type Unavailable, unavailable } from '../outcome.js';
import type { StoredRecord } from '../stored-record.js';
import type { SegmentWriter, Seqs } from './segments/index.js';

type Task = () => Promise<void>;

/** Appends made in one call that wait for the disk. */
export interface Pending {
  /** The records as lines of the segment; empty for an answer that only has its place in the order. */
  readonly lines: string;
  readonly records: readonly StoredRecord[];
  /** Called when this and everything before it is durable, or with the reason why it never will be. */
  readonly settle: (failed?: Unavailable) => void;
}

export interface GroupCommitOptions {
  readonly writer: SegmentWriter;
  /** Called with records that have just become durable, before anyone is notified. */
  readonly onDurable: (batch: readonly Pending[]) => void;
  /** Called when the waiting appends failed, before anyone is notified, with the size of what failed. */
  readonly onFailed: (failed: Unavailable, bytes: number) => void;
  /** A batch is closed at this many bytes; one append is never split. */
  readonly batchBytes: number;
}

/**
 * One write and one sync for everything that is waiting; the next batch fills up while the disk
 * works. If a write fails, everything that waits fails with it: it was decided on top of the failed
 * batch.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  #waiting: (Pending | Task)[] = [];
  #running = false;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  push(pending: Pending): void {
    this.#waiting.push(pending);
    this.#start();
  }

  /** Runs something between two batches, while nothing else writes. */
  async between(task: () => Promise<void>): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push(() => task().then(resolve, reject));
      this.#start();
    });
  }

  /** Settles when everything pushed before is settled. */
  async settled(): Promise<void> {
    await this.between(() => Promise.resolve());
  }

  #start(): void {
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    // Everything appended in the same turn goes into the same batch.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const first = this.#waiting[0];
      if (typeof first === 'function') {
        this.#waiting.shift();
        await first();
      } else {
        await this.#commit();
      }
    }
    this.#running = false;
  }

  async #commit(): Promise<void> {
    const batch = this.#take();
    const lines = batch.map((one) => one.lines).join('');
    try {
      if (lines !== '') await this.#options.writer.write(lines, seqsOf(batch));
    } catch (error) {
      // The remains of the failed write are cut off before the answer, if the disk allows it.
      await this.#options.writer.repair().catch(() => undefined);
      this.#fail(batch, error, lines.length);
      return;
    }
    this.#options.onDurable(batch);
    for (const { settle } of batch) tell(settle);
  }

  #take(): readonly Pending[] {
    let bytes = 0;
    const batch: Pending[] = [];
    for (const one of this.#waiting) {
      if (typeof one === 'function') break;
      if (batch.length > 0 && bytes + one.lines.length > this.#options.batchBytes) break;
      bytes += one.lines.length;
      batch.push(one);
    }
    this.#waiting = this.#waiting.slice(batch.length);
    return batch;
  }

  #fail(batch: readonly Pending[], error: unknown, bytes: number): void {
    const failed = [...batch];
    const tasks: Task[] = [];
    for (const one of this.#waiting) {
      if (typeof one === 'function') tasks.push(one);
      else failed.push(one);
    }
    this.#waiting = tasks;
    const outcome = cannotWrite(error);
    this.#options.onFailed(outcome, bytes);
    for (const { settle } of failed) tell(settle, outcome);
  }
}

function seqsOf(batch: readonly Pending[]): Seqs {
  const hasRecords = ({ records }: Pending): boolean => records.length > 0;
  return {
    firstSeq: batch.find(hasRecords)?.records[0]?.seq ?? 0,
    lastSeq: batch.findLast(hasRecords)?.records.at(-1)?.seq ?? 0,
  };
}

/** The outcome of an append when the disk fails. */
export function cannotWrite(error: unknown): Unavailable {
  const { code, message } = error as NodeJS.ErrnoException;
  const details: JsonObject = code === undefined ? {} : { cause: code };
  return unavailable(`The journal could not be written: ${message}.`, details);
}

/** An exception in a callback must not affect those that wait after it: it is thrown separately. */
function tell(settle: Pending['settle'], failed?: Unavailable): void {
  try {
    settle(failed);
  } catch (error) {
    setImmediate(() => {
      throw error;
    });
  }
}
