import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Append, EVERY_SPACE } from '../journal.js';
import type { AppendOutcome } from '../outcome.js';
import { collect, sample, texts } from '../testing/index.js';
import type { LocalJournal } from './local-journal.js';
import { type Fault, faultyDisk } from './testing/faulty-disk.js';
import { opened } from './testing/open.js';
import { useTemporaryFolder } from './testing/temporary-folder.js';

const temporaryFolder = useTemporaryFolder({ inMemory: true });

const STREAMS = ['one/proposal/1', 'one/proposal/2', 'two/proposal/1'];

/** Two of them are written before the turn ends, three fill a batch, and four a segment. */
const LARGE = '.'.repeat(40_000);
const SIZES = { batchBytes: 90_000, segmentBytes: 120_000 };

/** Records that cannot be written, whatever the disk does. */
const broken = {
  get why(): never {
    throw new Error('This cannot be read.');
  },
};

const one = fc.record({
  stream: fc.constantFrom(...STREAMS),
  records: fc.constantFrom('none', 'one', 'two', 'large', 'broken'),
  isOutrun: fc.boolean(),
});

type One = typeof one extends fc.Arbitrary<infer Made> ? Made : never;

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('append' as const),
      all: fc.array(one, { minLength: 1, maxLength: 6, size: 'max' }),
      /** Whether they are called again as soon as they are answered. */
      isFollowed: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('turns' as const), count: fc.nat(6) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('fail' as const),
      /** So many writes succeed before. */
      after: fc.nat(3),
      fault: fc.constantFrom<Fault>(
        { code: 'ENOSPC', share: 0.5 },
        { code: 'EIO', share: 1 },
        { code: 'EIO' },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'read' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'compact' as const }) },
);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('I-1, I-2: every call is answered once, in order, with what is on disk, whichever write fails', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { maxLength: 30, size: 'max' }),
    fc.constantFrom('power' as const, 'process' as const),
    async (steps, durability) => {
      const folder = await temporaryFolder();
      let failing: { after: number; readonly fault: Fault } | undefined;
      const disk = faultyDisk(async ({ kind, bytes }) => {
        if (kind !== 'write' || bytes?.[0] === 0) return undefined;
        await turn();
        if (failing === undefined || failing.after-- > 0) return undefined;
        const { fault } = failing;
        failing = undefined;
        return fault;
      });
      const journal = await opened(folder, { durability, ...SIZES, disk });
      const pending: Promise<unknown>[] = [];
      const answered: number[] = [];
      const acknowledged: string[] = [];
      let calls = 0;

      function append(all: readonly One[], isFollowed: boolean): void {
        const number = calls++;
        const appends = toAppends(journal, all, number);
        let isReturned = false;
        const settled = new Promise<void>((resolve) =>
          journal.appendAll(appends, (outcomes) => {
            expect(isReturned).toBe(true);
            answered.push(number);
            expect(outcomes).toHaveLength(all.length);
            for (const [index, outcome] of outcomes.entries())
              acknowledged.push(...check(appends[index] as Append, all[index] as One, outcome));
            if (isFollowed) append(all, false);
            resolve();
          }),
        );
        isReturned = true;
        pending.push(settled);
      }

      for (const made of steps) {
        if (made.type === 'append') append(made.all, made.isFollowed);
        else if (made.type === 'turns') for (let left = made.count; left > 0; left--) await turn();
        else if (made.type === 'fail') failing = { ...made };
        else if (made.type === 'read') pending.push(collect(journal.read('one/proposal/1')));
        // It rejects if the disk fails.
        else pending.push(journal.compact({ before: 0, keep: () => true }).catch(() => undefined));
      }
      // What follows is added meanwhile.
      for (const one of pending) await one;
      failing = undefined;
      expect(answered).toEqual(Array.from({ length: calls }, (_, number) => number));
      expect(await contentOf(journal)).toEqual(acknowledged);
      await journal.close();
      const again = await opened(folder, { durability, ...SIZES });
      expect(await contentOf(again)).toEqual(acknowledged);
      await again.close();
    },
  );
  await fc.assert(property, { numRuns: 100 });
});

/** Appends to the ends that the streams have or will have, except for those that somebody else outran. */
function toAppends(journal: LocalJournal, all: readonly One[], number: number): readonly Append[] {
  const ends = new Map<string, number>();
  return all.map(({ stream, records, isOutrun }, index) => {
    const name = `${number}-${index}`;
    const contents = {
      none: [],
      one: [sample(name)],
      two: [sample(`${name}a`), sample(`${name}b`)],
      large: [{ ...sample(name), facts: { text: LARGE } }],
      broken: [sample(name), { ...sample(name), facts: broken }],
    }[records];
    const end = ends.get(stream) ?? journal.headNow(stream).version;
    if (!isOutrun && records !== 'broken') ends.set(stream, end + contents.length);
    return { stream, expectedVersion: isOutrun ? end + 7 : end, records: contents };
  });
}

/** The texts that were appended. */
function check({ records }: Append, one: One, outcome: AppendOutcome): readonly string[] {
  if (one.isOutrun) expect(outcome.status).toMatch(/^(conflict|unavailable)$/);
  else expect(outcome.status).toMatch(one.records === 'broken' ? 'unavailable' : /^(appended|unavailable)$/);
  if (outcome.status !== 'appended') return [];
  expect(texts(outcome.records)).toEqual(records.map(({ envelope }) => envelope['id']));
  return texts(outcome.records);
}

/** All texts in a journal that must be intact. */
async function contentOf(journal: LocalJournal): Promise<readonly string[]> {
  const records = await collect(journal.feed(EVERY_SPACE, 0, { follow: false }));
  const seqs = records.map(({ seq }) => seq);
  expect(seqs).toEqual([...new Set(seqs)].sort((left, right) => left - right));
  expect((await journal.verify()).faults).toEqual([]);
  for (const name of STREAMS)
    expect(journal.headNow(name).version).toBe(records.filter(({ stream }) => stream === name).length);
  return texts(records);
}
