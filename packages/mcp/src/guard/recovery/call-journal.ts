import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, SYSTEM_CLOCK } from '@proffer/client/own-calls';
import { defined } from '@proffer/core/json';
import type { RecordContent } from '@proffer/core/records';
import { type AppendOutcome, type Journal, openLocalJournal } from '@proffer/journal';

/** Where a guard stores what it must know about its calls after a crash. */
export interface CallJournal {
  /** The stored facts of at least the last 2,000 calls, also from other guards that share the journal. */
  load(): Promise<CallMemory>;
  /** Stores a fact a little later, when the answer it is about has left this process. */
  note(fact: KeptFact): void;
  /** Stores a fact at once; resolves when it is on disk. */
  keep(fact: KeptFact): Promise<void>;
  /** Flushes noted facts whose answers have left this process: the process is about to exit. */
  flush(): Promise<void>;
}

export interface CallJournalOptions {
  readonly clock?: Clock;
  /** Called once with why the journal cannot be used. */
  readonly onFault?: (error: unknown) => void;
  /** Whether everything that was sent has left this process; notes are stored only then. Default: always. */
  readonly hasLeft?: () => boolean;
  /** A file of an earlier version: imported and removed. */
  readonly earlierFile?: string;
}

/** How many of the latest facts stay when older ones are removed, which happens at twice as many. */
const MAX_COUNT = 2_000;

/** The segment size of the journal, in bytes: small, because only whole segments are compacted. */
const SEGMENT = 262_144;

/**
 * How long after sending an answer counts as delivered, in milliseconds: a crash before that may take it
 * along.
 */
const SETTLING = 250;

/** Timeout for another guard's use of the journal, and the polling interval, in milliseconds. */
const TIMEOUT = 5_000;
const STEP = 20;

const SPACE = 'calls';

/**
 * A guard's own journal of its calls, in a folder that several guards of one server may share: it is open only while
 * something is read or written. If facts are missing, an outcome may be delivered twice, and its text says so; a
 * journal that cannot be used therefore stops nothing.
 */
export function createCallJournal(folder: string, options: CallJournalOptions = {}): CallJournal {
  const { clock = SYSTEM_CLOCK, onFault = () => {}, hasLeft = () => true, earlierFile } = options;
  let noted: KeptFact[] = [];
  let hasFailed = false;
  let last: Promise<unknown> = Promise.resolve();

  /** Runs a task on the journal after the earlier ones. Returns `undefined` if it fails. */
  function using<Value>(work: (journal: Journal) => Promise<Value>): Promise<Value | undefined> {
    const done = last.then(async () => {
      try {
        const journal = await open(folder);
        try {
          return await work(journal);
        } finally {
          await journal.close();
        }
      } catch (error) {
        if (!hasFailed) onFault(error);
        hasFailed = true;
        return undefined;
      }
    });
    last = done;
    return done;
  }

  const write = async (facts: readonly KeptFact[]): Promise<void> => {
    await using((journal) => append(journal, facts, clock.now()));
  };
  const flush = async (): Promise<void> => {
    if (noted.length === 0 || !hasLeft()) return;
    const facts = noted;
    noted = [];
    await write(facts);
  };
  const settle = (): void => {
    void flush();
    // A client that reads slowly may still get it.
    if (noted.length > 0) clock.after(SETTLING, settle);
  };
  return {
    async load() {
      const facts = await using(async (journal) => {
        if (earlierFile !== undefined) await takeOver(journal, earlierFile, clock.now());
        return await factsIn(journal, clock.now());
      });
      return rememberFacts(facts ?? []);
    },
    note(fact) {
      if (noted.push(fact) === 1) clock.after(SETTLING, settle);
    },
    keep: (fact) => write([fact]),
    flush: async () => {
      await flush();
      await last;
    },
  };
}

/** Stores nothing: whether outcomes of an earlier run were delivered is unknown. */
export const NO_CALL_JOURNAL: CallJournal = {
  load: async () => rememberFacts([]),
  note: () => {},
  keep: async () => {},
  flush: async () => {},
};

async function open(folder: string): Promise<Journal> {
  const until = Date.now() + TIMEOUT;
  for (;;) {
    const opened = await openLocalJournal(folder, { segmentBytes: SEGMENT });
    if (opened.ok) return opened.value;
    const { code, message } = opened.refusal;
    if (code !== 'journal_locked' || Date.now() > until) throw new Error(message);
    await pause(STEP);
  }
}

async function append(journal: Journal, facts: readonly KeptFact[], time: number): Promise<void> {
  const appends: Promise<AppendOutcome>[] = [];
  for (const fact of facts) {
    const stream = `${SPACE}/${fact.id}`;
    // The head counts pending ones, so all of them share one write.
    const { version } = await journal.head(stream);
    appends.push(journal.append(stream, version, [recordOf(fact, time)]));
  }
  const failed = (await Promise.all(appends)).find(({ status }) => status !== 'appended');
  if (failed?.status === 'unavailable') throw new Error(failed.refusal.message);
}

function recordOf({ type, id, round }: KeptFact, time: number): RecordContent {
  return { type, time, principal: SPACE, envelope: { id, ...defined({ round }) } };
}

async function factsIn(journal: Journal, now: number): Promise<readonly KeptFact[]> {
  const facts: KeptFact[] = [];
  for await (const { type, envelope } of journal.feed(SPACE, 0, { follow: false })) {
    const { id, round } = envelope;
    if (typeof id !== 'string' || !isType(type)) continue;
    facts.push({ type, id, ...(typeof round === 'number' ? { round } : {}) });
  }
  if (facts.length > 2 * MAX_COUNT) {
    const oldest = (await journal.lastSeq(SPACE)) - MAX_COUNT;
    await journal.compact({ before: now + 1, keep: ({ seq }) => seq > oldest });
  }
  return facts;
}

function isType(type: string): type is KeptFact['type'] {
  return type === 'began' || type === 'promised' || type === 'heard' || type === 'declared';
}

/** Imports what an earlier version stored. If this process ends in between, the next one does it again. */
async function takeOver(journal: Journal, file: string, now: number): Promise<void> {
  if (!existsSync(file)) return;
  // What follows the last line break was cut off.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  await append(
    journal,
    lines.slice(-MAX_COUNT).flatMap((line) => factInLine(line) ?? []),
    now,
  );
  rmSync(file, { force: true });
}

/**
 * What a guard must know about its calls after it was killed and cannot learn from the space: that a later round was
 * started (the space settled the call with the first), that a caller was promised that a call waits until it expires,
 * that an outcome was delivered, and that the space was told that the outcome of a round is unknown.
 */
export interface KeptFact {
  readonly type: 'began' | 'promised' | 'heard' | 'declared';
  /** The proposal of the call. */
  readonly id: string;
  /** Absent for the call itself; its later rounds count from 2. */
  readonly round?: number;
}

/** A later round of a call. */
export interface LaterRound {
  readonly id: string;
  readonly round: number;
}

/** The stored facts, folded. */
export interface CallMemory {
  has(fact: KeptFact): boolean;
  /** The last started later round of each call whose outcome was not delivered, oldest first. */
  readonly unheardRounds: readonly LaterRound[];
}

/** @param facts - oldest first */
export function rememberFacts(facts: Iterable<KeptFact>): CallMemory {
  const known = new Set<string>();
  const begun = new Map<string, LaterRound>();
  for (const fact of facts) {
    known.add(keyOf(fact));
    const { type, id, round } = fact;
    if (type === 'began' && round !== undefined) begun.set(id, { id, round });
  }
  return {
    has: (fact) => known.has(keyOf(fact)),
    unheardRounds: [...begun.values()].filter((round) => !known.has(keyOf({ type: 'heard', ...round }))),
  };
}

function keyOf({ type, id, round = 1 }: KeptFact): string {
  return `${id} ${round} ${type}`;
}

/**
 * Parses a line of the file that guards used before they had a journal: `ID` and `ID#ROUND told` for what was
 * delivered, `ID#ROUND` for a started round, `ID#ROUND unknown` for what the space was told.
 */
function factInLine(line: string): KeptFact | undefined {
  const [, id, digits, mark] = /^([^\s#]+)(?:#(\d+)(?: (told|unknown))?)?$/.exec(line) ?? [];
  if (id === undefined) return undefined;
  if (digits === undefined) return { type: 'heard', id };
  const type = mark === undefined ? 'began' : mark === 'told' ? 'heard' : 'declared';
  return { type, id, round: Number(digits) };
}
