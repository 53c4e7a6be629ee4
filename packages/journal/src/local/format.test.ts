import { cp, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EVERY_SPACE } from '../journal.js';
import { appended, collect, sample } from '../testing/index.js';
import { openLocalJournal } from './open-local-journal.js';
import { listFolder, segmentPath } from './segments/index.js';
import { opened } from './testing/open.js';
import { useTemporaryFolder } from './testing/temporary-folder.js';
import { verifyLocalJournal } from './verify.js';

const FIXTURES = fileURLToPath(new URL('../../fixtures/', import.meta.url));

/** Journals that every later version must be able to read, by the version that wrote them. */
const VERSIONS = ['v1', 'v2', 'v3'];

describe('journals written by released versions', () => {
  const temporaryFolder = useTemporaryFolder();

  it.each(VERSIONS)('I-3: %s replays, verifies and accepts appends', async (version) => {
    const folder = join(await temporaryFolder(), version);
    await cp(join(FIXTURES, version, 'journal'), folder, { recursive: true });
    const expected = JSON.parse(await readFile(join(FIXTURES, version, 'expected.json'), 'utf8')) as {
      readonly records: readonly { readonly seq: number; readonly stream: string }[];
      readonly removed: { readonly stream: string; readonly version: number };
    };

    expect(await verifyLocalJournal(folder)).toMatchObject({ ok: true, value: { faults: [] } });
    const journal = await opened(folder);
    expect(await collect(journal.feed(EVERY_SPACE, 0, { follow: false }))).toEqual(expected.records);
    expect(await journal.head(expected.removed.stream)).toMatchObject(expected.removed);
    const last = expected.records.at(-1);
    const { stream = '', seq = 0 } = last ?? {};
    const head = await journal.head(stream);
    const [next] = appended(await journal.append(stream, head.version, [sample('by this version')]));
    expect(next?.seq).toBeGreaterThan(seq);
    expect((await journal.verify()).faults).toEqual([]);
    await journal.close();
    // From then on missing data is detected, whichever version started the journal.
    expect(JSON.parse(await readFile(join(folder, 'format.json'), 'utf8'))).toMatchObject({ format: 3 });
    await truncate(
      segmentPath(folder, (await listFolder(folder)).segments.at(-1) ?? { number: 1, generation: 0 }),
    );
    expect(await openLocalJournal(folder)).toMatchObject({ ok: false, refusal: { code: 'journal_damaged' } });
  });
});
