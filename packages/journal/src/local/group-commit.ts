import type { JsonObject } from '@proffer/core/json';
import { type AppendOutcome, type Unavailable, unavailable } from '../outcome.js';
import { LineBuffer, type SegmentWriter, type Seqs } from './segments/index.js';
import type { Head, RecentStream } from './streams/index.js';

type Task = () => Promise<void>;

/** An append that waits for the disk, or an answer that only has its place in the order. */
export interface Pending {
  /** The outcome when this append and everything before it is durable. */
  readonly outcome: AppendOutcome;
  /** The end that the stream has then; absent if there are no records. */
  readonly reached?: { readonly recent: RecentStream; readonly head: Head };
  /** Called with that outcome, or with the reason why the append never will be durable. */
  readonly settle: (outcome: AppendOutcome) => void;
}

/** What becomes durable with one write. */
interface Batch {
  readonly lines: LineBuffer;
  readonly pending: Pending[];
}

export interface GroupCommitOptions {
  readonly writer: SegmentWriter;
  /** Called with records that have just become durable, before anyone is notified. */
  readonly onDurable: (batch: readonly Pending[], bytes: number) => void;
  /** Called when the waiting appends failed, before anyone is notified, with the size of what failed. */
  readonly onFailed: (failed: Unavailable, bytes: number) => void;
  /** A batch of this many bytes gets no more appends. */
  readonly batchBytes: number;
}

/**
 * One write and one sync for everything that is waiting; the next batch fills up while the disk
 * works. If a write fails, everything that waits fails with it: it was decided on top of the failed
 * batch.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  #waiting: (Batch | Task)[] = [];
  #running = false;
  /** Not in use. */
  readonly #buffers: LineBuffer[] = [];

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /**
   * Queues an append.
   *
   * @param seal - adds its lines to those that go to the disk next
   */
  push(seal: (lines: LineBuffer) => Pending): void {
    const { lines, pending } = this.#filling();
    pending.push(seal(lines));
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
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (typeof next === 'function') await next();
      else await this.#commit(next);
    }
    this.#running = false;
  }

  async #commit(batch: Batch): Promise<void> {
    const { lines, pending } = batch;
    const { size } = lines;
    try {
      if (size > 0) await this.#options.writer.write(lines, seqsOf(pending));
    } catch (error) {
      // The remains of the failed write are cut off before the answer, if the disk allows it.
      await this.#options.writer.repair().catch(() => undefined);
      this.#fail(batch, error);
      return;
    }
    this.#keep(lines);
    this.#options.onDurable(pending, size);
    for (const { settle, outcome } of pending) tell(settle, outcome);
  }

  /** The batch that gets the next append: the last one, if nothing else comes behind it and it has room. */
  #filling(): Batch {
    const last = this.#waiting.at(-1);
    if (last !== undefined && typeof last !== 'function' && last.lines.size < this.#options.batchBytes)
      return last;
    const batch = { lines: this.#buffers.pop() ?? new LineBuffer(), pending: [] };
    this.#waiting.push(batch);
    return batch;
  }

  #keep(lines: LineBuffer): void {
    lines.clear();
    if (this.#buffers.length < MAX_KEPT) this.#buffers.push(lines);
  }

  #fail(batch: Batch, error: unknown): void {
    const { size } = batch.lines;
    const failed = [batch];
    const tasks: Task[] = [];
    for (const one of this.#waiting) {
      if (typeof one === 'function') tasks.push(one);
      else failed.push(one);
    }
    this.#waiting = tasks;
    const outcome = cannotWrite(error);
    this.#options.onFailed(outcome, size);
    for (const { lines, pending } of failed) {
      this.#keep(lines);
      for (const { settle } of pending) tell(settle, outcome);
    }
  }
}

/** One is written while another fills up. */
const MAX_KEPT = 2;

function seqsOf(batch: readonly Pending[]): Seqs {
  const first = batch.find(({ reached }) => reached !== undefined)?.outcome;
  const last = batch.findLast(({ reached }) => reached !== undefined)?.reached;
  return {
    firstSeq: first?.status === 'appended' ? (first.records[0]?.seq ?? 0) : 0,
    lastSeq: last?.head.seq ?? 0,
  };
}

/** The outcome of an append when the disk fails. */
export function cannotWrite(error: unknown): Unavailable {
  const { code, message } = error as NodeJS.ErrnoException;
  const details: JsonObject = code === undefined ? {} : { cause: code };
  return unavailable(`The journal could not be written: ${message}.`, details);
}

/** An exception in a callback must not affect those that wait after it: it is thrown separately. */
function tell(settle: Pending['settle'], outcome: AppendOutcome): void {
  try {
    settle(outcome);
  } catch (error) {
    setImmediate(() => {
      throw error;
    });
  }
}
