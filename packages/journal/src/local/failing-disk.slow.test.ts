import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Durability } from '../journal.js';
import { appended, collect, sample, texts } from '../testing/index.js';
import type { LocalJournal } from './local-journal.js';
import { openLocalJournal } from './open-local-journal.js';
import { type Fault, faultyDisk } from './testing/faulty-disk.js';
import { opened } from './testing/open.js';
import { isLasting, useTemporaryFolder } from './testing/temporary-folder.js';

const temporaryFolder = useTemporaryFolder({ inMemory: true });
const AT_ONCE = 12;
const SMALL = { segmentBytes: 1200 };

/** Makes `count` appends to two streams, and returns the acknowledged texts. */
async function writeSome(journal: LocalJournal, count: number): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let attempt = 0; attempt < count; attempt++) {
    const stream = `main/proposal/${attempt % 2}`;
    const { version } = await journal.head(stream);
    const pair = [sample(`${attempt}-a`), sample(`${attempt}-b`)];
    const outcome = await journal.append(stream, version, pair);
    if (outcome.status === 'appended') acknowledged.push(...texts(outcome.records));
    else expect(outcome).toMatchObject({ status: 'unavailable', refusal: { code: 'unavailable' } });
  }
  return acknowledged;
}

async function everything(journal: LocalJournal): Promise<readonly string[]> {
  const records = await collect(journal.feed('main', 0, { follow: false }));
  const seqs = records.map(({ seq }) => seq);
  expect(seqs).toEqual([...new Set(seqs)].sort((left, right) => left - right));
  return texts(records);
}

/** What a copy of the folder contains at this moment, while its journal is open. */
async function afterPowerCut(folder: string): Promise<readonly string[]> {
  const copy = join(await temporaryFolder(), 'copy');
  await cp(folder, copy, { recursive: true, filter: isLasting });
  const journal = await opened(copy);
  const found = await everything(journal);
  expect((await journal.verify()).faults).toEqual([]);
  await journal.close();
  return found;
}

interface Failing {
  readonly from: number;
  readonly times: number;
  readonly fault: Fault;
  readonly durability: Durability;
}

/** Runs the same work with the disk failing from a given operation on, for a number of operations. */
async function survive(failing: Failing) {
  const options = { ...SMALL, durability: failing.durability };
  const folder = await temporaryFolder();
  let failed = 0;
  let well = false;
  const disk = faultyDisk(({ index }) => {
    if (well || index < failing.from || failed >= failing.times) return undefined;
    failed++;
    return failing.fault;
  });
  let result = await openLocalJournal(folder, { ...options, disk });
  while (!result.ok) {
    expect(result.refusal.code).toMatch(/^(unavailable|disk_full)$/);
    result = await openLocalJournal(folder, { ...options, disk });
  }
  const journal = result.value;
  const acknowledged = await writeSome(journal, 6);
  well = true;
  expect(appended(await journal.append('main/proposal/last', 0, [sample('last')]))).toHaveLength(1);
  acknowledged.push('last');
  expect(await everything(journal)).toEqual(acknowledged);
  expect((await journal.verify()).faults).toEqual([]);
  await journal.close();
  const again = await opened(folder, options);
  expect(await everything(again)).toEqual(acknowledged);
  expect((await again.verify()).faults).toEqual([]);
  await again.close();
  return failed;
}

const FAULTS: readonly (readonly [name: string, durability: Durability, fault: Fault])[] = [
  ['the disk is full', 'power', { code: 'ENOSPC' }],
  ['the disk becomes full in the middle', 'power', { code: 'ENOSPC', share: 0.5 }],
  ['the disk fails', 'power', { code: 'EIO' }],
  ['the disk fails in the middle', 'power', { code: 'EIO', share: 0.5 }],
  ['all is written but not kept', 'power', { code: 'EIO', share: 1 }],
  ['only a part is written each time', 'power', { share: 0.3 }],
  ['the disk becomes full in the middle', 'process', { code: 'ENOSPC', share: 0.5 }],
  ['the disk fails in the middle', 'process', { code: 'EIO', share: 0.5 }],
];

describe('a failing disk', () => {
  it.each(FAULTS)(
    'I-1: loses nothing acknowledged and revives nothing, at every operation: %s (durability %s)',
    async (_, durability, fault) => {
      for (const times of [1, 4]) {
        for (let from = 0; ; from += AT_ONCE) {
          const attempts = Array.from({ length: AT_ONCE }, (_, more) =>
            survive({ from: from + more, times, fault, durability }),
          );
          // Beyond the last operation nothing fails any more, and every one before it has been tried.
          if ((await Promise.all(attempts)).includes(0)) break;
        }
      }
    },
  );

  it('I-1: appends queued behind a failed one fail with it, and the head is rolled back', async () => {
    let failing = false;
    const disk = faultyDisk(({ kind }) => (failing && kind === 'write' ? { code: 'ENOSPC' } : undefined));
    const journal = await opened(await temporaryFolder(), { disk });
    await journal.append('main/proposal/1', 0, [sample('kept')]);
    failing = true;
    const pending = [
      journal.append('main/proposal/1', 1, [sample('lost')]),
      journal.append('main/proposal/1', 2, [sample('lost too')]),
      journal.append('main/proposal/1', 0, [sample('conflict with what is lost')]),
    ];
    expect((await Promise.all(pending)).map(({ status }) => status)).toEqual(Array(3).fill('unavailable'));
    expect(await journal.head('main/proposal/1')).toMatchObject({ version: 1 });
    failing = false;
    appended(await journal.append('main/proposal/1', 1, [sample('next')]));
    expect(await everything(journal)).toEqual(['kept', 'next']);
    await journal.close();
  });

  it.each(['ENOSPC', 'EIO'] as const)(
    'I-1: an append that failed with %s is not there after a power cut either, nor after a shorter one',
    async (code) => {
      const folder = await temporaryFolder();
      let failures = 0;
      const disk = faultyDisk(({ kind }) => {
        if (failures === 0 || kind !== 'write') return undefined;
        failures--;
        // All of it reaches the disk, and still it is not acknowledged.
        return { code, share: 1 };
      });
      const journal = await opened(folder, { disk });
      await journal.append('main/proposal/1', 0, [sample('kept')]);
      failures = 1;
      const long = Array.from({ length: 5 }, () => sample('failed'));
      expect(await journal.append('main/proposal/1', 1, long)).toMatchObject({ status: 'unavailable' });
      expect(await afterPowerCut(folder)).toEqual(['kept']);
      appended(await journal.append('main/proposal/1', 1, [sample('short')]));
      expect(await afterPowerCut(folder)).toEqual(['kept', 'short']);
      await journal.close();
    },
  );

  it('I-1, I-6: no record is visible before it is on disk', async () => {
    let release = (): void => undefined;
    let held: Promise<undefined> | undefined;
    const disk = faultyDisk(({ kind }) => (kind === 'write' ? held : undefined));
    const journal = await opened(await temporaryFolder(), { disk });
    const shown: string[] = [];
    const feed = collect(journal.feed('main', 0), 1).then((records) => shown.push(...texts(records)));
    held = new Promise((resolve) => {
      release = () => resolve(undefined);
    });
    const acknowledged = journal
      .append('main/proposal/1', 0, [sample('one')])
      .then(() => shown.push('acknowledged'));
    const read = collect(journal.read('main/proposal/1')).then(() => shown.push('read'));
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    expect(await journal.lastSeq('main')).toBe(0);
    expect(shown).toEqual([]);
    release();
    await Promise.all([feed, acknowledged, read]);
    expect(shown.sort()).toEqual(['acknowledged', 'one', 'read']);
    await journal.close();
  });
});
