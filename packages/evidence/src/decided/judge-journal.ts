import type { HashText } from '@proffer/core';
import { agreementOf, isAboutCall } from '@proffer/core/agreement';
import { type Change, defined, diffJson, type JsonValue, quote } from '@proffer/core/json';
import {
  endingOf,
  judgeSession,
  NEGOTIATION_SPACE,
  type SessionJudge,
  type SessionRecord,
  sessionOfStream,
  sessionStream,
} from '@proffer/core/negotiation';
import {
  type AgreedOutcome,
  type AssertionCheck,
  isRulesRecord,
  type JudgedRecord,
  judgeSpace,
  type KeyRegistered,
  type Misjudged,
  RULES_SPACE,
  type RulesRecord,
  type SpaceJudge,
  type WrittenRules,
} from '@proffer/core/operations';
import { type StoredRecord, spaceOf } from '@proffer/journal';

/** A record that cannot have come about by the rules. */
export interface WrongDecision {
  readonly seq: number;
  readonly stream: string;
  readonly version: number;
  /** `refused`, `different`, `unfounded`, `omitted` or `misplaced`, as core says. */
  readonly what: string;
  /** The code of the refusal. */
  readonly code?: string;
  readonly sentence: string;
}

/** The rules of a space were changed, other than by the first record of them. */
export interface ChangedRules {
  readonly seq: number;
  readonly time: number;
  readonly space: string;
  readonly changes: readonly Change[];
}

/** A key that somebody registered. Rules do not show whose it is: an operator can let anybody register one. */
export interface NewKeyFound extends Pick<KeyRegistered['facts'], 'participant' | 'key'> {
  readonly seq: number;
  readonly space: string;
}

/** A record says that it was accepted before one that comes before it. */
export interface TurnedBack {
  readonly seq: number;
  /** Milliseconds. */
  readonly by: number;
}

/** What deciding everything again has shown. */
export interface DecidedAgain {
  /** Records that were decided again by rules that are recorded before them. */
  readonly decided: number;
  /** Records from before any rules were recorded: only what all rules refuse is found. */
  readonly beforeRules: number;
  /** Records that hold if their gateway did not know yet what was recorded a moment before them. */
  readonly delayed: number;
  /** How many are wrong, and the first of them. */
  readonly wrong: number;
  readonly first: readonly WrongDecision[];
  readonly rules: readonly ChangedRules[];
  /** How many keys were registered to sign approvals with (O-49), and the first of them. */
  readonly keys: { readonly count: number; readonly first: readonly NewKeyFound[] };
  /** How often the time ran backwards by more than clocks do, and the largest step. */
  readonly turnedBack: number;
  readonly furthestBack?: TurnedBack;
}

export interface JudgeJournalOptions {
  /** Whether several gateways write to the journal. */
  readonly hasSeveralWriters: boolean;
  /** Only these spaces. Default: all. */
  readonly isMine?: (space: string) => boolean;
  /** Whether a record is the last of its stream: what is over then is forgotten. Default: not known, so nothing is. */
  readonly isLast?: (stream: string, version: number) => boolean;
  /** Whether retention removed a stream. Default: none. */
  readonly isRemoved?: (stream: string) => boolean;
  /** Checks the signatures of decisions. Default: none is valid. */
  readonly checkAssertion?: AssertionCheck;
  readonly hash?: HashText;
}

/** Decides every record of a journal again, in the order of the journal. */
export interface JournalJudge {
  judge(record: StoredRecord, next: StoredRecord | undefined): void;
  readonly found: DecidedAgain;
}

/** Rules with the entries of the review policy by name, so that it shows which of them changed. */
function byName({ settings, ...rules }: WrittenRules): JsonValue {
  const { review, ...others } = settings;
  if (review === undefined) return { ...rules, settings: others };
  const entries = Object.fromEntries(review.map(({ name, ...entry }, place) => [name, { ...entry, place }]));
  return { ...rules, settings: { ...others, review: entries } };
}

/** Clocks of several gateways differ, and are corrected. Milliseconds. */
const CLOCKS_DIFFER = 5_000;

/** More than this are counted, and not listed. */
const MAX_LISTED = 100;

/** Judges a journal from its beginning. */
export function judgeJournal(options: JudgeJournalOptions): JournalJudge {
  const { hasSeveralWriters, isMine, isLast, isRemoved, checkAssertion, hash } = options;
  const spaces = new Map<string, SpaceJudge>();
  /** The first record of each space that cannot be folded: what follows would be decided on another state. */
  const unreadable = new Map<string, { readonly record: StoredRecord; readonly why: string }>();
  const sessions = new Map<string, SessionJudge>();
  /** The records of the sessions that are not over, and what those decided that are (O-53). */
  const said = new Map<string, SessionRecord[]>();
  const agreements = new Map<string, AgreedOutcome>();
  const first: WrongDecision[] = [];
  const counts = { decided: 0, beforeRules: 0, delayed: 0, wrong: 0, turnedBack: 0 };
  const changedRules: ChangedRules[] = [];
  const newKeys: NewKeyFound[] = [];
  let keyCount = 0;
  const rulesOf = new Map<string, WrittenRules>();
  let latest = 0;
  let furthestBack: TurnedBack | undefined;

  function followRules(space: string, record: StoredRecord & RulesRecord): void {
    const { rules } = record.facts;
    const before = rulesOf.get(space);
    rulesOf.set(space, rules);
    spaceJudge(space).follow(rules, record.time);
    if (before === undefined) reportUnreadable(space);
    if (before === undefined || changedRules.length >= MAX_LISTED) return;
    const { seq, time } = record;
    changedRules.push({ seq, time, space, changes: diffJson(byName(before), byName(rules)) });
  }

  function listKey(space: string, record: StoredRecord): void {
    if (record.type !== 'key_registered') return;
    keyCount++;
    const { participant, key } = (record as unknown as KeyRegistered).facts;
    if (newKeys.length < MAX_LISTED) newKeys.push({ seq: record.seq, space, participant, key });
  }

  function checkTime({ seq, time }: StoredRecord): void {
    const by = latest - time;
    latest = Math.max(latest, time);
    if (by <= CLOCKS_DIFFER) return;
    counts.turnedBack++;
    if (by > (furthestBack?.by ?? 0)) furthestBack = { seq, by };
  }

  function spaceJudge(name: string): SpaceJudge {
    const known = spaces.get(name);
    if (known !== undefined) return known;
    const made = judgeSpace({
      name,
      hasSeveralWriters,
      agreedIn: (session) =>
        isRemoved?.(sessionStream(session)) === true ? 'removed' : agreements.get(session),
      ...defined({ hash, checkAssertion }),
      ...(isRemoved === undefined ? {} : { isRemoved: (id) => isRemoved(`${name}/proposal/${id}`) }),
    });
    spaces.set(name, made);
    return made;
  }

  function report(
    { seq, stream, version }: StoredRecord,
    { what, code, sentence }: { readonly what: string; readonly code?: string; readonly sentence: string },
  ): void {
    if (what === 'delayed') {
      counts.delayed++;
      return;
    }
    counts.wrong++;
    if (first.length < MAX_LISTED)
      first.push({ seq, stream, version, what, sentence, ...(code === undefined ? {} : { code }) });
  }

  function reportUnreadable(space: string): void {
    const found = unreadable.get(space);
    if (found === undefined) return;
    const sentence = `${found.why} Nothing after it in ${quote(space)} was decided again.`;
    report(found.record, { what: 'unfounded', sentence });
  }

  function judgeInSpace(name: string, record: StoredRecord, next: StoredRecord | undefined): void {
    const judge = spaceJudge(name);
    const after = next?.stream === record.stream ? (next as unknown as JudgedRecord) : undefined;
    const last = isLast?.(record.stream, record.version) === true;
    if (unreadable.has(name)) {
      if (!judge.isRuled) counts.beforeRules++;
      return;
    }
    let wrong: Misjudged | undefined;
    try {
      wrong = judge.judge(record as unknown as JudgedRecord, after, last);
    } catch (error) {
      unreadable.set(name, { record, why: (error as Error).message });
      // Older releases may have written it: that is no forgery, as long as nothing rests on it.
      if (judge.isRuled) reportUnreadable(name);
      else counts.beforeRules++;
      return;
    }
    if (judge.isRuled) counts.decided++;
    else counts.beforeRules++;
    if (wrong !== undefined) report(record, wrong);
  }

  /** Keeps what the sessions agree on, in whichever space that counts. */
  function listen(record: StoredRecord): void {
    const session = sessionOfStream(record.stream);
    if (session === undefined) return;
    const latest = record as unknown as SessionRecord;
    const records = said.get(session) ?? [];
    records.push(latest);
    said.set(session, records);
    if (endingOf(latest) === undefined) return;
    said.delete(session);
    const agreed = isAboutCall(latest) ? agreementOf(records) : undefined;
    if (agreed?.ok === true) agreements.set(session, agreed.value);
  }

  function judgeInSession(record: StoredRecord): void {
    const session = sessionOfStream(record.stream);
    if (session === undefined) return;
    const judge = sessions.get(session) ?? judgeSession();
    sessions.set(session, judge);
    const wrong = judge.judge(record as unknown as SessionRecord);
    counts.decided++;
    if (wrong !== undefined) report(record, wrong);
    if (judge.isOver && isLast?.(record.stream, record.version) === true) sessions.delete(session);
  }

  return {
    judge(record, next) {
      const space = spaceOf(record.stream);
      const about = space === RULES_SPACE ? record.stream.slice(RULES_SPACE.length + 1) : space;
      if (space === NEGOTIATION_SPACE) listen(record);
      if (isMine?.(about) === false) return;
      checkTime(record);
      if (space === RULES_SPACE) {
        if (isRulesRecord(record)) followRules(about, record);
      } else if (space === NEGOTIATION_SPACE) judgeInSession(record);
      else if (!space.startsWith('system:')) {
        listKey(space, record);
        judgeInSpace(space, record, next);
      }
    },
    get found() {
      const keys = { count: keyCount, first: newKeys };
      return { ...counts, first, rules: changedRules, keys, ...defined({ furthestBack }) };
    },
  };
}
