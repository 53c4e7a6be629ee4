import { type Participant, RefusedError } from '@proffer/client';
import type { JsonObject } from '@proffer/core';
import { type CallFacts, describeDecision, type RuleDecision } from '@proffer/steward';
import type { Clock } from '../clock.js';
import { qualifiedName } from './call-key.js';
import { excerptOf } from './excerpt.js';

/** A call that rules decided about, with nobody asked. */
export interface RuledCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly decision: RuleDecision;
}

/** Which decisions of the rules go into the history: also those that allow, or only those that deny. */
export type Recorded = 'all' | 'denials';

export interface DecisionRecordsOptions {
  readonly participant: Pick<Participant, 'name' | 'send'>;
  readonly server: string;
  /** What the server says about a tool, which rules may go by. */
  readonly annotations: (tool: string) => CallFacts['annotations'] | undefined;
  readonly clock: Clock;
  readonly recorded: Recorded;
  readonly log: (line: string) => void;
}

/** A decision as it is recorded: for programs, and as a line for people. */
interface Entry {
  readonly isDenial: boolean;
  readonly record: JsonObject;
  readonly line: string;
  /** Characters of both. */
  readonly size: number;
}

/** From one message to the next, in milliseconds: what is decided in between goes with the next. */
const INTERVAL = 100;

/** Characters of the decisions in one message, about: far less than a gateway takes. */
const MOST_IN_ONE = 262_144;

/** Decisions that may wait while the gateway is away. */
const MOST_WAITING = 1_000;

/** How long the end waits for what is not recorded yet, in milliseconds. */
const CLOSING = 1_500;

/**
 * Puts what rules decided into the history of the space: which rule, of which version, and why. Each is a
 * `chat.message` of the guard to itself, which everybody sees and which is meant for nobody. No call waits
 * for it. One message is on its way at a time; what comes meanwhile waits, up to a limit beyond which
 * decisions that allow are left out first, and the record says how many.
 */
export class DecisionRecords {
  readonly #options: DecisionRecordsOptions;
  #waiting: Entry[] = [];
  #leftOut = 0;
  #sending: Promise<void> | undefined;
  /** Ends the pause between two messages. */
  #hurry: () => void = () => {};
  #isClosing = false;
  #isOff = false;
  #isFailing = false;

  constructor(options: DecisionRecordsOptions) {
    this.#options = options;
  }

  /** Takes a decision down, and returns at once. */
  note(call: RuledCall): void {
    const isDenial = call.decision.action === 'deny';
    if (this.#isOff || (!isDenial && this.#options.recorded === 'denials')) return;
    if (this.#waiting.length >= MOST_WAITING && !this.#makeRoom(isDenial)) return;
    this.#waiting.push(this.#entry(call));
    this.#sending ??= this.#sendAll();
  }

  /** Settles when everything is recorded, or when that takes too long. */
  async close(): Promise<void> {
    const patience = new Promise<void>((resolve) => this.#options.clock.after(CLOSING, resolve));
    this.#isClosing = true;
    this.#hurry();
    await Promise.race([this.#sending, patience]);
    this.#isOff = true;
  }

  #makeRoom(isDenial: boolean): boolean {
    this.#leftOut++;
    const oldest = isDenial ? this.#waiting.findIndex((other) => !other.isDenial) : -1;
    if (oldest === -1) return false;
    this.#waiting.splice(oldest, 1);
    return true;
  }

  async #sendAll(): Promise<void> {
    // The call itself goes on first.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch();
      const missing = this.#leftOut;
      this.#leftOut = 0;
      await this.#send(batch, missing);
      if (this.#isOff) this.#waiting = [];
      else if (!this.#isClosing) await this.#pause();
    }
    this.#sending = undefined;
  }

  #nextBatch(): readonly Entry[] {
    let size = 0;
    const end = this.#waiting.findIndex((entry) => {
      size += entry.size;
      return size > MOST_IN_ONE;
    });
    // One alone is never too much.
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : Math.max(1, end));
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

  async #send(batch: readonly Entry[], missing: number): Promise<void> {
    const { participant, log } = this.#options;
    const notice = `${missing} more decisions are not recorded: the gateway did not take them in time.`;
    const lines = [...batch.map(({ line }) => line), ...(missing === 0 ? [] : [notice])];
    const payload = {
      text: lines.join('\n'),
      decisions: batch.map(({ record }) => record),
      ...(missing === 0 ? {} : { missing }),
    };
    try {
      await participant.send({ kind: 'chat.message', to: [participant.name], payload });
      this.#isFailing = false;
    } catch (error) {
      this.#leftOut += batch.length + missing;
      const isForbidden = error instanceof RefusedError && error.code === 'capability_violation';
      this.#isOff ||= isForbidden;
      const why = error instanceof Error ? error.message : String(error);
      const said = isForbidden ? 'the token lacks the capability chat.message.' : why;
      // Once, and not for each that fails after it.
      if (!this.#isFailing) log(`What the rules decide is not recorded: ${said}`);
      this.#isFailing = true;
    }
  }

  #entry({ tool, arguments: args, decision }: RuledCall): Entry {
    const { participant, server, annotations, clock } = this.#options;
    const { action, reason, rule, version } = decision;
    const isDenial = action === 'deny';
    const hints = annotations(tool);
    // As it is called in the space.
    const name = qualifiedName(participant.name, server, tool);
    const record: JsonObject = {
      action,
      tool: name,
      server,
      arguments: excerptOf(args),
      ...(hints === undefined ? {} : { annotations: excerptOf({ ...hints }) }),
      reason,
      ...(rule === undefined ? {} : { rule: { ...rule } }),
      version,
      at: new Date(clock.now()).toISOString(),
    };
    const line = `${isDenial ? 'Denied' : 'Allowed'} by rules: ${name}. ${describeDecision(decision)}`;
    return { isDenial, record, line, size: JSON.stringify(record).length + line.length };
  }
}
