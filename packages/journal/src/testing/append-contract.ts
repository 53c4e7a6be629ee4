import { emptyStream, headAfter, verifyStream } from '@proffer/core/records';
import { describe, expect, it } from 'vitest';
import type { AppendOutcome } from '../outcome.js';
import type { OpenJournal } from './journal-contract.js';
import { appended, collect, saltedSample, sample, texts } from './sample.js';
import { useJournal } from './use-journal.js';

const STREAM = 'main/proposal/p-1';

/** The contract of `append`, `appendAll`, `read` and `head`. */
export function appendContract(open: OpenJournal): void {
  describe('append and read', () => {
    const start = useJournal(open);

    it('I-3: returns what was appended, and its chain verifies', async () => {
      const { journal } = await start();
      const first = appended(await journal.append(STREAM, 0, [sample('one'), sample('two ☂')]));
      const second = appended(await journal.append(STREAM, 2, [sample('three')]));
      const records = await collect(journal.read(STREAM));
      expect(records).toEqual([...first, ...second]);
      expect(records.map(({ version }) => version)).toEqual([1, 2, 3]);
      const verified = verifyStream(records, { from: emptyStream(STREAM) });
      expect(verified).toMatchObject({ ok: true, value: { version: 3 } });
    });

    it("O-12, I-2: of two fulfilments decided on the same version one is accepted, and the other learns the stream's head", async () => {
      const { journal } = await start();
      await journal.append(STREAM, 0, [sample('proposed')]);
      const [one, two] = await Promise.all([
        journal.append(STREAM, 1, [{ ...sample('winner'), type: 'fulfilled' }]),
        journal.append(STREAM, 1, [{ ...sample('loser'), type: 'fulfilled' }]),
      ]);
      const [record] = appended(one);
      expect(two).toEqual({ status: 'conflict', head: record && headAfter(record) });
      expect(texts(await collect(journal.read(STREAM)))).toEqual(['proposed', 'winner']);
    });

    it('refuses a version that the stream does not have yet', async () => {
      const { journal } = await start();
      expect(await journal.append(STREAM, 1, [sample('early')])).toEqual({
        status: 'conflict',
        head: emptyStream(STREAM),
      });
      expect(await journal.head(STREAM)).toMatchObject({ version: 0 });
    });

    it('accepts the next append of a stream before the previous one is acknowledged, and settles them in order', async () => {
      const { journal } = await start();
      const settled: number[] = [];
      const outcomes = Array.from({ length: 50 }, async (_, version) => {
        const outcome = await journal.append(STREAM, version, [sample(`m-${version}`)]);
        settled.push(version);
        return appended(outcome);
      });
      expect(await journal.head(STREAM)).toMatchObject({ version: 50 });
      const records = (await Promise.all(outcomes)).flat();
      expect(settled).toEqual(Array.from({ length: 50 }, (_, version) => version));
      expect(await collect(journal.read(STREAM))).toEqual(records);
    });

    it('answers a conflict only after the append that it lost to', async () => {
      const { journal } = await start();
      const settled: string[] = [];
      await Promise.all([
        journal.append(STREAM, 0, [sample('winner')]).then(() => settled.push('winner')),
        journal.append(STREAM, 0, [sample('loser')]).then(() => settled.push('loser')),
      ]);
      expect(settled).toEqual(['winner', 'loser']);
    });

    it('calls back once for each call, later, with the outcomes in order', async () => {
      const { journal } = await start();
      await journal.append('main/proposal/b', 0, [sample('b-1')]);
      const append = (stream: string, expectedVersion: number, ...said: readonly string[]) => ({
        stream: `main/proposal/${stream}`,
        expectedVersion,
        records: said.map((one) => sample(one)),
      });
      const told: string[][] = [];
      await new Promise<void>((resolve) => {
        const tell = (outcomes: readonly AppendOutcome[]): void => {
          told.push(outcomes.map(({ status }) => status));
          if (told.length === 3) resolve();
        };
        journal.appendAll([append('a', 0, 'a-1'), append('b', 0, 'lost'), append('c', 0, 'c-1')], tell);
        journal.appendAll([append('a', 0, 'a-1'), append('c', 1, 'c-2')], tell);
        journal.appendAll([append('a', 1, 'a-2'), append('c', 2)], tell);
        expect(told).toEqual([]);
      });
      expect(told).toEqual([
        ['appended', 'conflict', 'appended'],
        ['conflict', 'appended'],
        ['appended', 'appended'],
      ]);
      expect(
        await new Promise((resolve) => journal.appendAll([append('b', 0, 'b-2')], resolve)),
      ).toMatchObject([{ status: 'conflict', head: { version: 1 } }]);
      expect(texts(await collect(journal.read('main/proposal/a')))).toEqual(['a-1', 'a-2']);
      expect(texts(await collect(journal.read('main/proposal/c')))).toEqual(['c-1', 'c-2']);
    });

    it('I-5: what is no record is not appended, and blocks nothing else of its call', async () => {
      const { journal } = await start();
      const broken = {
        get why(): never {
          throw new Error('This cannot be read.');
        },
      };
      const appends = ['a', 'b', 'c'].map((name) => ({
        stream: `main/proposal/${name}`,
        expectedVersion: 0,
        records: [sample(name), name === 'b' ? { ...sample(name), facts: broken } : sample(name)],
      }));
      const outcomes = await new Promise<readonly AppendOutcome[]>((resolve) =>
        journal.appendAll(appends, resolve),
      );
      expect(outcomes.map(({ status }) => status)).toEqual(['appended', 'unavailable', 'appended']);
      expect(await collect(journal.read('main/proposal/b'))).toEqual([]);
      appended(await journal.append('main/proposal/b', 0, [sample('b')]));
      expect(await journal.verify()).toMatchObject({ records: 5, faults: [] });
    });

    it('reads from a version on, including its own unacknowledged appends', async () => {
      const { journal } = await start();
      const pending = journal.append(STREAM, 0, [sample('1'), sample('2'), sample('3'), sample('4')]);
      expect(texts(await collect(journal.read(STREAM, 3)))).toEqual(['3', '4']);
      expect(await collect(journal.read(STREAM, 5))).toEqual([]);
      expect(await collect(journal.read('main/proposal/none'))).toEqual([]);
      await pending;
    });

    it("returns a stream's end after all appends called so far, synchronously if it can", async () => {
      const { journal } = await start();
      const pending = journal.append(STREAM, 0, [sample('1'), sample('2')]);
      const head = await journal.head(STREAM);
      expect(head).toMatchObject({ stream: STREAM, version: 2, removed: 0 });
      if (journal.headNow !== undefined) {
        expect(journal.headNow(STREAM)).toEqual(head);
        expect(journal.headNow('main/proposal/none').version).toBe(0);
      }
      await pending;
    });

    it('only checks the version if there is nothing to append', async () => {
      const { journal } = await start();
      expect(await journal.append(STREAM, 0, [])).toEqual({ status: 'appended', records: [] });
      expect(await journal.append(STREAM, 1, [])).toMatchObject({ status: 'conflict' });
      expect(await journal.lastSeq('main')).toBe(0);
    });

    it('I-2: many writers that read, decide and append lose no update', async () => {
      const { journal } = await start();
      const add = async (writer: number): Promise<void> => {
        for (let done = 0; done < 10; ) {
          const { version } = await journal.head(STREAM);
          const outcome = await journal.append(STREAM, version, [sample(`${writer}-${done}`)]);
          if (outcome.status === 'appended') done++;
        }
      };
      await Promise.all(Array.from({ length: 8 }, (_, writer) => add(writer)));
      const records = await collect(journal.read(STREAM));
      expect(new Set(texts(records)).size).toBe(80);
      expect(records.map(({ version }) => version)).toEqual(
        Array.from({ length: 80 }, (_, index) => index + 1),
      );
      expect(await journal.verify()).toEqual({ records: 80, streams: 1, faults: [] });
    });

    it('accepts nothing once it is closed, and finishes what is in flight', async () => {
      const { journal } = await start();
      const pending = journal.append(STREAM, 0, [sample('in flight')]);
      await journal.close();
      expect(appended(await pending)).toHaveLength(1);
      const refused = await journal.append(STREAM, 1, [sample('late')]);
      expect(refused).toMatchObject({ status: 'unavailable', refusal: { code: 'unavailable' } });
    });

    it('I-1, I-3: returns the same records, heads and order after a restart', async () => {
      const { journal, reopen } = await start();
      for (let index = 0; index < 20; index++) {
        const content = index % 3 === 0 ? saltedSample(`m-${index}`) : sample(`m-${index}`);
        await journal.append(`main/proposal/${index % 4}`, Math.floor(index / 4), [content]);
      }
      const before = await collect(journal.feed('main', 0, { follow: false }));
      const head = await journal.head('main/proposal/3');
      const after = reopen === undefined ? journal : await reopen();
      expect(await collect(after.feed('main', 0, { follow: false }))).toEqual(before);
      expect(await after.head('main/proposal/3')).toEqual(head);
      const [next] = appended(await after.append('main/proposal/3', head.version, [sample('next')]));
      expect(next?.seq).toBeGreaterThan(before.at(-1)?.seq ?? 0);
      expect(await after.verify()).toMatchObject({ records: 21, faults: [] });
    });
  });
}
