import { type Journal, JournalError } from '@proffer/journal';
import { decide, type OutboxCommand } from '../outbox/decide.js';
import { evolve } from '../outbox/evolve.js';
import { EMPTY_OUTBOX, type Outbox, type OutboxSettings } from '../outbox/outbox.js';
import { outboxEvent, outboxRecord, storeOutbox } from '../outbox/records.js';

export interface StoreOptions {
  readonly journal: Journal;
  readonly stream: string;
  readonly settings: OutboxSettings;
  readonly clock: () => number;
}

/** After this many records the whole state is written, so that reading can start there. */
const CHECKPOINT_EVERY = 200;

/**
 * An outbox stored in the journal. Several gateways may share one: the second to write reads what the
 * first wrote and decides again.
 */
export class OutboxStore {
  readonly #options: StoreOptions;
  #state: Outbox = EMPTY_OUTBOX;
  #version = 0;
  /** The version of the last checkpoint; 0 if there is none. */
  #since = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  get stream(): string {
    return this.#options.stream;
  }

  get state(): Outbox {
    return this.#state;
  }

  /** Reads the stored state. Call it before sending anything. */
  async load({ isCertain = false } = {}): Promise<void> {
    const { journal, stream } = this.#options;
    const { version } = await journal.head(stream, isCertain ? this.#version + 1 : 1);
    if (version === this.#version) return;
    let from = 1;
    for await (const last of journal.read(stream, version))
      from = Math.max(1, Number(last.facts?.['since'] ?? 0));
    let state = EMPTY_OUTBOX;
    let since = 0;
    let reached = 0;
    for await (const record of journal.read(stream, from)) {
      state = evolve(state, outboxEvent(record), record.time);
      reached = record.version;
      if (record.type === 'notification_checkpoint') since = record.version;
    }
    // All at once: someone may be reading it.
    this.#state = state;
    this.#version = reached;
    this.#since = since;
  }

  /**
   * Reads what another gateway wrote in the meantime.
   *
   * @param isCertain - whether to ask the journal's servers, instead of relying on what has arrived here. Default false
   */
  async refresh(options: { readonly isCertain?: boolean } = {}): Promise<void> {
    const loaded = this.#queue.then(() => this.load(options));
    this.#queue = loaded.catch(() => {});
    await loaded;
  }

  /**
   * Decides and records, one command after another. Settles with whether anything changed, here or
   * elsewhere.
   */
  async tell(command: OutboxCommand): Promise<boolean> {
    const told = this.#queue.then(() => this.#carryOut(command));
    this.#queue = told.catch(() => {});
    return await told;
  }

  async #carryOut(command: OutboxCommand): Promise<boolean> {
    const { journal, stream, settings, clock } = this.#options;
    let hasReloaded = false;
    for (;;) {
      const now = clock();
      const events = [...decide(this.#state, command, { now, settings, name: stream })];
      if (events.length === 0) return hasReloaded;
      const next = events.reduce((state, event) => evolve(state, event, now), this.#state);
      const records = events.map((event) => outboxRecord(event, now, this.#since));
      const isDue = this.#version + events.length - this.#since >= CHECKPOINT_EVERY;
      if (isDue) {
        const checkpoint = { type: 'checkpoint', outbox: storeOutbox(next) } as const;
        // Later readers must start with this record.
        records.push(outboxRecord(checkpoint, now, this.#version + events.length + 1));
      }
      const outcome = await journal.append(stream, this.#version, records);
      if (outcome.status === 'appended') {
        this.#state = next;
        this.#version += records.length;
        if (isDue) this.#since = this.#version;
        return true;
      }
      if (outcome.status === 'unavailable') throw new JournalError(outcome.refusal);
      // Another gateway was first: what it left to send is also ours, should it stop.
      await this.load();
      hasReloaded = true;
    }
  }
}
