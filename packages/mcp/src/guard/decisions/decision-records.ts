import type { Clock } from '@proffer/client/own-calls';
import { type Participant, RefusedError } from '@proffer/client/participation';
import type { JsonObject } from '@proffer/core/json';
import type { CallFacts } from '@proffer/steward';
import { qualifiedName } from '../call-identity.js';
import { type DecisionEntry, entryFor, type RuledCallEntry, type ToolRuling } from './decision-entry.js';

/** Which decisions go into the history: all, or only denials. */
export type RecordedDecisions = 'all' | 'denials';

export interface DecisionRecordsOptions {
  readonly participant: Pick<Participant, 'name' | 'send' | 'isConnected'>;
  readonly server: string;
  /** The server's description of a tool, which rules may use. */
  readonly annotations: (tool: string) => CallFacts['annotations'] | undefined;
  readonly clock: Clock;
  readonly recorded: RecordedDecisions;
  readonly log: (line: string) => void;
}

/** The interval between messages, in milliseconds: decisions in between go into the next one. */
const INTERVAL = 100;

/** The approximate size of the decisions in one message, in bytes: far less than a gateway accepts. */
const MAX_IN_ONE = 262_144;

/** Decisions that may wait while the gateway is away, and their bytes. */
const MAX_WAITING = 1_000;
const MAX_BYTES_WAITING = 1_048_576;

/** How long a connected gateway has to answer, in milliseconds. */
const ANSWERING = 30_000;

/** How long closing waits for unrecorded decisions, in milliseconds. */
const CLOSING = 1_500;

/**
 * Records what rules decided in the history of the space: which rule, which version, and why. Each is a `chat.message`
 * of the guard to itself, which everyone sees and which needs no answer. No call waits for it. One message is on its
 * way at a time; further decisions are queued, up to a limit beyond which allowing decisions are dropped first, and the
 * record says how many. What a gateway refuses or does not answer is counted with these, and keeps nothing else from
 * being recorded.
 */
export class DecisionRecords {
  readonly #options: DecisionRecordsOptions;
  #waiting: DecisionEntry[] = [];
  #bytesWaiting = 0;
  #leftOut = 0;
  #sending: Promise<void> | undefined;
  /** Ends the pause between two messages. */
  #hurry: () => void = () => {};
  /** Ends the wait for the answer to a message. */
  #stopWaiting: () => void = () => {};
  #isClosing = false;
  #isOff = false;
  #isFailing = false;

  constructor(options: DecisionRecordsOptions) {
    this.#options = options;
  }

  /** Queues a decision, and returns at once. */
  note(call: RuledCallEntry): void {
    const isKept = call.decision.action !== 'allow';
    const isWanted = isKept || call.watched !== undefined || this.#options.recorded === 'all';
    if (this.#isOff || !isWanted) return;
    // Avoids building entries that would be dropped anyway.
    if (!isKept && this.#waiting.length >= MAX_WAITING) {
      this.#leftOut++;
      return;
    }
    const entry = this.#entry(call);
    if (!this.#makeRoom(entry)) return;
    this.#waiting.push(entry);
    this.#bytesWaiting += entry.size;
    this.#sending ??= this.#sendAll();
  }

  /** Resolves when everything is recorded or the time is up. */
  async close(): Promise<void> {
    const patience = new Promise<void>((resolve) => this.#options.clock.after(CLOSING, resolve));
    this.#isClosing = true;
    this.#hurry();
    await Promise.race([this.#sending, patience]);
    this.#isOff = true;
  }

  #makeRoom({ isKept, size }: DecisionEntry): boolean {
    while (this.#waiting.length >= MAX_WAITING || this.#bytesWaiting + size > MAX_BYTES_WAITING) {
      this.#leftOut++;
      const oldest = isKept ? this.#waiting.findIndex((other) => !other.isKept) : -1;
      if (oldest === -1) return false;
      this.#bytesWaiting -= sizeOf(this.#waiting.splice(oldest, 1));
    }
    return true;
  }

  async #sendAll(): Promise<void> {
    // The call itself comes first.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch();
      const missing = this.#leftOut;
      this.#leftOut = 0;
      await this.#send(batch, missing);
      if (this.#isOff) this.#take(this.#waiting.length);
      else if (!this.#isClosing) await this.#pause();
    }
    this.#sending = undefined;
  }

  #nextBatch(): readonly DecisionEntry[] {
    let size = 0;
    const end = this.#waiting.findIndex((entry) => {
      size += entry.size;
      return size > MAX_IN_ONE;
    });
    // A single one is never too much.
    return this.#take(end === -1 ? this.#waiting.length : Math.max(1, end));
  }

  #take(count: number): readonly DecisionEntry[] {
    const taken = this.#waiting.splice(0, count);
    this.#bytesWaiting -= sizeOf(taken);
    return taken;
  }

  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const stop = this.#options.clock.after(INTERVAL, resolve);
      this.#hurry = () => {
        stop();
        resolve();
      };
    });
  }

  async #send(batch: readonly DecisionEntry[], missing: number): Promise<void> {
    const { participant, log } = this.#options;
    const payload = decisionMessage(batch, missing);
    try {
      await this.#orTooLate(participant.send({ kind: 'chat.message', to: [participant.name], payload }));
      this.#isFailing = false;
    } catch (error) {
      const isRefused = error instanceof RefusedError;
      const isForbidden = isRefused && error.code === 'capability_violation';
      if (isRefused && !isForbidden && batch.length > 1) return await this.#sendOneByOne(batch, missing);
      this.#leftOut += batch.length + missing;
      this.#isOff ||= isForbidden;
      const why = error instanceof Error ? error.message : String(error);
      const said = isForbidden ? 'the token lacks the capability chat.message.' : why;
      // Once, not for each failure after it.
      if (!this.#isFailing) log(`What the rules decide is not recorded: ${said}`);
      this.#isFailing = true;
    }
  }

  /** An entry that a gateway refuses must not block the others. */
  async #sendOneByOne(batch: readonly DecisionEntry[], missing: number): Promise<void> {
    this.#leftOut += missing;
    for (const entry of batch) {
      const before = this.#leftOut;
      this.#leftOut = 0;
      await this.#send([entry], before);
    }
  }

  /** A disconnected gateway may take as long as it needs; a connected one that does not answer may not. */
  async #orTooLate(sent: Promise<unknown>): Promise<void> {
    const { clock, participant } = this.#options;
    const late = new Promise<never>((_resolve, reject) => {
      const wait = (): void => {
        this.#stopWaiting = clock.after(ANSWERING, () => {
          if (participant.isConnected) reject(new Error('the gateway did not answer.'));
          else wait();
        });
      };
      wait();
    });
    try {
      await Promise.race([sent, late]);
    } finally {
      this.#stopWaiting();
    }
  }

  #entry(call: RuledCallEntry): DecisionEntry {
    const { participant, server, annotations, clock } = this.#options;
    return entryFor(call, {
      // The name of the tool in the space.
      name: qualifiedName(participant.name, server, call.tool),
      server,
      annotations: annotations(call.tool),
      at: clock.now(),
    });
  }
}

function sizeOf(entries: readonly DecisionEntry[]): number {
  return entries.reduce((sum, { size }) => sum + size, 0);
}

/**
 * The payload that reports decisions. Those that differ only in time and arguments are combined, so that an agent that
 * reads a lot does not fill the history with one rule: `calls` has what differs.
 *
 * @param missing - how many more decisions were not recorded
 */
function decisionMessage(entries: readonly DecisionEntry[], missing: number): JsonObject {
  const groups = new Map<
    string,
    { readonly ruling: ToolRuling; readonly isObserved: boolean; readonly calls: JsonObject[] }
  >();
  for (const { ruling, own, isObserved } of entries) {
    const group = groups.get(ruling.key);
    if (group === undefined) groups.set(ruling.key, { ruling, isObserved, calls: [own] });
    else group.calls.push(own);
  }
  const lines: string[] = [];
  const decisions: JsonObject[] = [];
  const observed: JsonObject[] = [];
  for (const { ruling, isObserved, calls } of groups.values()) {
    const [only = {}] = calls;
    const isOne = calls.length === 1;
    lines.push(isOne ? ruling.line : `${ruling.line} (${calls.length} calls)`);
    (isObserved ? observed : decisions).push(
      isOne ? { ...ruling.record, ...only } : { ...ruling.record, calls },
    );
  }
  if (missing > 0)
    lines.push(`${missing} more decisions were not recorded: the gateway did not accept them in time.`);
  return {
    text: lines.join('\n'),
    // What was only watched is no decision, and is never read as one.
    ...(observed.length === 0 || decisions.length > 0 ? { decisions } : {}),
    ...(observed.length === 0 ? {} : { observed }),
    ...(missing === 0 ? {} : { missing }),
  };
}
