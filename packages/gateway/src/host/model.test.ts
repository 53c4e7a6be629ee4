import { refuse } from '@proffer/core';
import type { RecordContent } from '@proffer/core/records';
import { type Append, createMemoryJournal, type StoredRecord } from '@proffer/journal';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { appendOne, eachAppend, journalWith, type OneAppend } from '../testing/journals.js';
import { flushAfterTask, flushNow, flushTogether } from './flush-policy.js';
import { type Fold, LiveState } from './live-state.js';
import { type Rules, type SubmitOutcome, submit } from './submit.js';

const LONG = process.env['PROFFER_LONG'] !== undefined;
const STREAMS = ['s/a', 's/b', 's/c'] as const;

/** A name that was added to a list, and the state of the list it was decided on. */
type Added = RecordContent & {
  readonly type: 'added';
  readonly facts: { readonly list: string; readonly name: string; readonly on: string };
};

type Lists = Readonly<Record<string, readonly string[]>>;

/** A name for some lists, each of which accepts it once, and nothing after `end`. */
interface Adding {
  readonly name: string;
  readonly lists: readonly string[];
  /** Whether it goes onto a list only once it is on those before. */
  readonly inOrder: boolean;
}

interface RecordableDecision {
  readonly appends?: readonly Append[];
  readonly inOrder?: boolean;
  readonly why?: 'closed' | 'duplicate';
}

const onList = (lists: Lists, list: string): readonly string[] => lists[list] ?? [];

function added(lists: Lists, list: string, name: string): Added {
  const facts = { list, name, on: onList(lists, list).join() };
  return { type: 'added', time: 0, principal: 'p', envelope: {}, facts };
}

const fold: Fold<Lists, Added> = {
  initial: {},
  evolve: (lists, { facts: { list, name } }) => ({ ...lists, [list]: [...onList(lists, list), name] }),
  versionOf: (lists, { facts: { list } }) => onList(lists, list).length,
};

const rules: Rules<Lists, Adding, RecordableDecision> = {
  decide(lists, { name, lists: wanted, inOrder }) {
    if (wanted.some((list) => onList(lists, list).includes('end'))) return { why: 'closed' };
    const missing = wanted.filter((list) => !onList(lists, list).includes(name));
    if (missing.length === 0) return { why: 'duplicate' };
    return {
      inOrder,
      appends: missing.map((list) => ({
        stream: list,
        expectedVersion: onList(lists, list).length,
        records: [added(lists, list, name)],
      })),
    };
  },
  confirm(decision, onDurable) {
    const certain = onDurable();
    return certain.why === decision.why ? certain : undefined;
  },
};

/** A journal whose appends wait until they are released or fail, one after another. */
function heldJournal() {
  const inner = createMemoryJournal();
  const waiting: OneAppend[] = [];
  const journal = journalWith(
    inner,
    eachAppend((...given) => void waiting.push(given)),
  );
  return {
    inner,
    journal,
    isEmpty: () => waiting.length === 0,
    land: (): void => {
      const [append, settle] = waiting.shift() ?? [];
      if (append !== undefined && settle !== undefined) appendOne(inner, append, settle);
    },
    fail: (): void =>
      waiting.shift()?.[1]({ status: 'unavailable', refusal: refuse('unavailable', 'The disk is full.') }),
  };
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('say' as const), adding: adding() }) },
  { weight: 4, arbitrary: fc.constant({ type: 'land' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'fail' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('elsewhere' as const), list: fc.constantFrom(...STREAMS) }),
  },
  { weight: 2, arbitrary: fc.constant({ type: 'feed' as const }) },
  { weight: 2, arbitrary: fc.constant({ type: 'turn' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'adjust' as const }) },
);

function adding() {
  return fc.record({
    name: fc.constantFrom('1', '2', '3', '4', '5', '6', 'end'),
    lists: fc.uniqueArray(fc.constantFrom<string>(...STREAMS), { minLength: 1, maxLength: 3 }),
    inOrder: fc.boolean(),
  });
}

const byNumber = (left: string, right: string): number => Number(left) - Number(right);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Another gateway was first on a list, and two messages had been decided on it, the second one with another list before it. */
const FAILED_ONCE: [Step[], keyof typeof LEAVING][] = [
  [
    [
      { type: 'elsewhere', list: 's/c' },
      { type: 'say', adding: { name: '3', lists: ['s/c'], inOrder: false } },
      { type: 'say', adding: { name: '1', lists: ['s/a', 's/c'], inOrder: false } },
    ],
    'soon',
  ],
];

const LEAVING = { now: flushNow, soon: flushAfterTask, 'with others': flushTogether() };

it('I-1, I-2, I-3, I-5: the host matches the journal whatever lands, fails or is written elsewhere, in any order', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { maxLength: LONG ? 120 : 40 }),
    fc.constantFrom<keyof typeof LEAVING>('now', 'soon', 'with others'),
    async (steps, leaving) => {
      const { inner, journal, isEmpty, land, fail } = heldJournal();
      const onFault = (error: unknown): never => {
        throw error;
      };
      const live = new LiveState({ journal, fold, flushPolicy: LEAVING[leaving], onFault });
      const said: { readonly adding: Adding; outcome?: SubmitOutcome<Lists, RecordableDecision> }[] = [];
      let seen = 0;
      let foreign = 0;
      const marks: string[] = [];

      async function stored(): Promise<readonly StoredRecord<Added>[]> {
        const all: StoredRecord<Added>[] = [];
        for await (const record of inner.feed('s', 0, { follow: false })) {
          all.push(record as StoredRecord<Added>);
        }
        return all;
      }
      async function feed(): Promise<void> {
        const all = await stored();
        for (const record of all.slice(seen)) live.fold(record);
        seen = all.length;
      }

      for (const one of steps) {
        if (one.type === 'say') {
          const entry: (typeof said)[number] = { adding: one.adding };
          said.push(entry);
          const settle = (_: Adding, outcome: SubmitOutcome<Lists, RecordableDecision>): void => {
            expect(entry.outcome).toBeUndefined();
            entry.outcome = outcome;
          };
          submit({ live, rules, settle }, one.adding);
        } else if (one.type === 'land') land();
        else if (one.type === 'fail') fail();
        else if (one.type === 'feed') await feed();
        else if (one.type === 'turn') await turn();
        else if (one.type === 'adjust') {
          const mark = String(marks.length);
          marks.push(mark);
          live.adjust((lists) => ({ ...lists, marks: [...onList(lists, 'marks'), mark] }));
        } else {
          const lists: Lists = { [one.list]: (await stored()).filter(isOn(one.list)).map(nameOf) };
          const records = [added(lists, one.list, `x${foreign++}`)];
          await inner.append(one.list, onList(lists, one.list).length, records);
        }
      }
      for (let count = 0; !(isEmpty() && live.isIdle && said.every(isSettled)); count++) {
        expect(count).toBeLessThan(1_000);
        while (!isEmpty()) land();
        await turn();
      }
      await feed();

      const all = await stored();
      for (const list of STREAMS) {
        const records = all.filter(isOn(list));
        // Nothing landed on a list other than the one it was decided on.
        for (const [index, { facts }] of records.entries()) {
          expect(facts.on).toBe(records.slice(0, index).map(nameOf).join());
        }
        expect(onList(live.durable, list)).toEqual(records.map(nameOf));
      }
      expect(live.newest).toEqual(live.durable);
      // In whichever order they were applied again.
      expect([...onList(live.durable, 'marks')].sort(byNumber)).toEqual(marks);
      for (const {
        adding: { name, lists },
        outcome,
      } of said) {
        const isIn = (list: string): boolean => onList(live.durable, list).includes(name);
        if (outcome?.status === 'landed') {
          for (const landed of outcome.decided.outcomes) {
            if (landed.status !== 'appended') continue;
            for (const record of landed.records) expect(all).toContainEqual(record);
          }
          // Of a message for several lists each part stands or falls alone: it may have been left out because
          // another message seemed to have put it there, and then had not.
          const isWhole = outcome.decided.outcomes.every(({ status }) => status === 'appended');
          if (isWhole && lists.length === 1) expect(lists.every(isIn)).toBe(true);
        }
        if (outcome?.status === 'answered' && outcome.decision.why === 'duplicate')
          expect(lists.every(isIn)).toBe(true);
        expect(outcome?.status).not.toBe('failed');
      }
      // What must be in order is in order, where only one message can have written it.
      const seqOf = (list: string, name: string): number =>
        all.find((record) => record.stream === list && record.facts.name === name)?.seq ?? Infinity;
      for (const { adding } of said) {
        const { name, lists } = adding;
        if (!adding.inOrder || said.filter((one) => one.adding.name === name).length > 1) continue;
        const seqs = lists.map((list) => seqOf(list, name));
        expect(seqs).toEqual([...seqs].sort((left, right) => left - right || 0));
      }
      // Nothing is there that nobody sent, and nothing twice.
      for (const list of STREAMS) {
        const names = onList(live.durable, list);
        expect(new Set(names).size).toBe(names.length);
        for (const name of names.filter((one) => !one.startsWith('x'))) {
          expect(said.some(({ adding }) => adding.name === name && adding.lists.includes(list))).toBe(true);
        }
      }
    },
  );
  await fc.assert(property, { numRuns: LONG ? 5_000 : 150, examples: FAILED_ONCE });
});

const isOn =
  (list: string) =>
  (record: StoredRecord<Added>): boolean =>
    record.stream === list;
const nameOf = ({ facts }: StoredRecord<Added>): string => facts.name;
const isSettled = ({ outcome }: { readonly outcome?: SubmitOutcome<Lists, RecordableDecision> }): boolean =>
  outcome !== undefined;
