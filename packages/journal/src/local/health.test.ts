import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../journal.js';
import { appended, sample } from '../testing/index.js';
import type { LocalJournal } from './local-journal.js';
import { type Fault, faultyDisk } from './testing/faulty-disk.js';
import { opened } from './testing/open.js';
import { useTemporaryFolder } from './testing/temporary-folder.js';

const temporaryFolder = useTemporaryFolder();
const STREAM = 'main/proposal/1';

/** A journal on a disk that fails on request, and its events. */
async function onFailingDisk() {
  let fault: Fault | undefined;
  const disk = faultyDisk(({ kind }) => (kind === 'write' || kind === 'open' ? fault : undefined));
  const journal = await opened(await temporaryFolder(), { disk });
  const received: JournalEvent[] = [];
  const waiting = new Map<JournalEvent['type'], () => void>();
  journal.watch((event) => {
    received.push(event);
    waiting.get(event.type)?.();
  });
  return {
    journal,
    received: () => received.map(({ type }) => type),
    causes: () => received.map((event) => ('refusal' in event ? event.refusal.details['cause'] : undefined)),
    until: (type: JournalEvent['type']) => new Promise<void>((resolve) => waiting.set(type, resolve)),
    breakDown: (code: NonNullable<Fault['code']>) => {
      fault = { code };
    },
    mend: () => {
      fault = undefined;
    },
  };
}

async function expectRefused(journal: LocalJournal, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    expect(await journal.append(STREAM, 1, [sample('refused')])).toMatchObject({
      status: 'unavailable',
      refusal: { code: 'unavailable' },
    });
  }
}

describe('a journal whose disk fails', () => {
  it.each(['ENOSPC', 'EIO', 'EMFILE'] as const)(
    'I-1: reports once that it is failing and each failed write, and recovers by itself: %s',
    async (code) => {
      const { journal, received, causes, until, breakDown, mend } = await onFailingDisk();
      appended(await journal.append(STREAM, 0, [sample('kept')]));
      breakDown(code);
      await expectRefused(journal, 3);
      expect(received()).toEqual(['write_failed', 'failing', 'write_failed', 'write_failed']);
      expect(causes()).toEqual([code, code, code, code]);
      const recovered = until('recovered');
      mend();
      // Nobody appends anything meanwhile.
      await recovered;
      expect(received().slice(4)).toEqual(['recovered']);
      appended(await journal.append(STREAM, 1, [sample('next')]));
      expect(await journal.verify()).toMatchObject({ records: 2, faults: [] });
      await journal.close();
    },
  );

  it('I-1: has recovered as soon as the next append is durable', async () => {
    const { journal, received, breakDown, mend } = await onFailingDisk();
    appended(await journal.append(STREAM, 0, [sample('kept')]));
    breakDown('ENOSPC');
    await expectRefused(journal, 1);
    mend();
    appended(await journal.append(STREAM, 1, [sample('next')]));
    expect(received()).toEqual(['write_failed', 'failing', 'recovered']);
    await journal.close();
  });

  it('I-1: does not report recovery while only less than what failed fits', async () => {
    const tried: number[] = [];
    let failing = false;
    let again = (): void => undefined;
    const disk = faultyDisk(({ kind, bytes }) => {
      if (!failing || kind !== 'write' || bytes?.[0] === 0) return undefined;
      tried.push(bytes?.length ?? 0);
      if (tried.length > 1) again();
      return { code: 'ENOSPC' };
    });
    const journal = await opened(await temporaryFolder(), { disk });
    const retried = new Promise<void>((resolve) => {
      again = resolve;
    });
    failing = true;
    const long = Array.from({ length: 20 }, () => sample('long'));
    expect(await journal.append(STREAM, 0, long)).toMatchObject({ status: 'unavailable' });
    await retried;
    const [wanted = 0, probed = 0] = tried;
    expect(probed).toBeGreaterThanOrEqual(wanted);
    failing = false;
    await journal.close();
  });
});
