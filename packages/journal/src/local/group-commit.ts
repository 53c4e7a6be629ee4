import type { Append } from '../journal.js';
import { type AppendOutcome, cannotWrite, type Unavailable } from '../outcome.js';
import { LineBuffer, type SegmentWriter, type Seqs } from './segments/index.js';
import type { Head, RecentStream } from './streams/index.js';

type Task = () => Promise<void>;

/** An append that waits for the disk, or an answer that only has its place in the order: what it is then. */
export type Pending =
  | { readonly outcome: AppendOutcome; readonly recent: RecentStream; readonly head: Head }
  | { readonly outcome: AppendOutcome; readonly recent?: never; readonly head?: never };

/** Appends that were called together. */
interface Call {
  readonly count: number;
  readonly outcomes: AppendOutcome[];
  readonly settle: (outcomes: readonly AppendOutcome[]) => void;
}

/** What becomes durable with one write. */
interface Batch {
  readonly lines: LineBuffer;
  readonly pending: Pending[];
  /** Where each of them belongs. */
  readonly calls: Call[];
}

export interface GroupCommitOptions {
  readonly writer: SegmentWriter;
  /** Adds the lines of an append to those that go to the disk next. */
  readonly seal: (append: Append, lines: LineBuffer) => Pending;
  /** Called with what has just become durable, before anyone is notified. */
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
  /** Whether a run begins at the end of this turn. */
  #isDue = false;
  /** Not in use. */
  readonly #buffers: LineBuffer[] = [];

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /** Queues appends; calls back with the outcome of all of them. */
  push(appends: readonly Append[], settle: Call['settle']): void {
    const call = { count: appends.length, outcomes: [], settle };
    for (const append of appends) {
      const batch = this.#filling();
      batch.pending.push(this.#seal(append, batch.lines));
      batch.calls.push(call);
      // The disk works on the first of many appends while the others are sealed.
      if (batch.lines.size >= ENOUGH && batch === this.#waiting[0] && !this.#running) void this.#run();
    }
    this.#start();
  }

  #seal(append: Append, lines: LineBuffer): Pending {
    try {
      return this.#options.seal(append, lines);
    } catch (error) {
      return { outcome: cannotWrite(error) };
    }
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
    if (this.#running || this.#isDue) return;
    this.#isDue = true;
    // Everything appended in the same turn goes into the same batch.
    queueMicrotask(() => {
      this.#isDue = false;
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (typeof next === 'function') await next();
      else await this.#commit(next);
    }
    this.#running = false;
  }

  /** Writes a batch, and those that are waiting when it is durable. */
  async #commit(first: Batch): Promise<void> {
    let batch = first;
    for (let writing = this.#write(first); ; ) {
      try {
        await writing;
      } catch (error) {
        // The remains of the failed write are cut off before the answer, if the disk allows it.
        await this.#options.writer.repair().catch(() => undefined);
        this.#fail(batch, error);
        return;
      }
      // The disk has the next one before anyone is notified of this one.
      const next = typeof this.#waiting[0] === 'object' ? (this.#waiting.shift() as Batch) : undefined;
      if (next !== undefined) writing = this.#write(next);
      this.#settle(batch);
      if (next === undefined) return;
      batch = next;
    }
  }

  async #write({ lines, pending }: Batch): Promise<void> {
    if (lines.size > 0) await this.#options.writer.write(lines, seqsOf(pending));
  }

  #settle({ lines, pending, calls }: Batch): void {
    const { size } = lines;
    this.#keep(lines);
    this.#options.onDurable(pending, size);
    for (let index = 0; index < pending.length; index++)
      settle(calls[index] as Call, (pending[index] as Pending).outcome);
  }

  /** The batch that gets the next append: the last one, if nothing else comes behind it and it has room. */
  #filling(): Batch {
    const last = this.#waiting.at(-1);
    if (last !== undefined && typeof last !== 'function' && last.lines.size < this.#options.batchBytes)
      return last;
    const batch = { lines: this.#buffers.pop() ?? new LineBuffer(), pending: [], calls: [] };
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
    for (const { lines, calls } of failed) {
      this.#keep(lines);
      for (const call of calls) settle(call, outcome);
    }
  }
}

/** So many bytes are worth a write of their own, although more will follow in this turn. */
const ENOUGH = 65_536;

/** One is written while another fills up. */
const MAX_KEPT = 2;

function seqsOf(batch: readonly Pending[]): Seqs {
  const first = batch.find(({ head }) => head !== undefined)?.outcome;
  const last = batch.findLast(({ head }) => head !== undefined)?.head;
  return {
    firstSeq: first?.status === 'appended' ? (first.records[0]?.seq ?? 0) : 0,
    lastSeq: last?.seq ?? 0,
  };
}

/**
 * Tells a caller, once all of its appends have an outcome. An exception must not affect those that wait after it: it is
 * thrown separately.
 */
function settle({ count, outcomes, settle: tell }: Call, outcome: AppendOutcome): void {
  if (outcomes.push(outcome) < count) return;
  try {
    tell(outcomes);
  } catch (error) {
    setImmediate(() => {
      throw error;
    });
  }
}
