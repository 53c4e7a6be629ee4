import { RECORD_SCHEMA } from '@proffer/core/records';
import { describe, expect, it } from 'vitest';
import type { StoredRecord } from '../../stored-record.js';
import { appended, collect, sample } from '../../testing/index.js';
import { opened } from '../testing/open.js';
import { useTemporaryFolder } from '../testing/temporary-folder.js';
import { Waypoints, walkStream } from './stream-walk.js';

const LENGTH = 3_000;
const STREAM = 'main/participant/a';

/** A stream whose records have every other `seq`, and a count of lookups. */
function longStream() {
  const looked = { count: 0 };
  const at = (seq: number) => {
    looked.count++;
    const version = seq / 2;
    const record: StoredRecord = {
      ...sample('one'),
      stream: STREAM,
      version,
      prev: '',
      hash: '',
      schema: RECORD_SCHEMA,
      seq,
    };
    return Promise.resolve({ record, previousSeq: seq - 2 });
  };
  return { looked, way: { stream: STREAM, end: { version: LENGTH, seq: LENGTH * 2 }, history: { at } } };
}

describe('reading a long stream', () => {
  const temporaryFolder = useTemporaryFolder();

  it('I-8: one record in the middle costs the same wherever it is, once the stream was read or written', async () => {
    const { looked, way } = longStream();
    const waypoints = new Waypoints();
    for (let version = 1; version <= LENGTH; version++) waypoints.note(STREAM, version, version * 2);
    for (const version of [1, 2, 31, 32, 33, 1500, LENGTH - 1, LENGTH]) {
      looked.count = 0;
      const walk = walkStream({ ...way, waypoints }, version);
      const step = await walk.next();
      expect(step.value).toMatchObject({ version });
      expect(looked.count).toBeLessThanOrEqual(32);
    }
  });

  it('I-8: an uncached stream is walked once; from then on its pages cost what they contain', async () => {
    const { looked, way } = longStream();
    const waypoints = new Waypoints();
    const versions: number[] = [];
    for (let after = 0; after < LENGTH; after += 100) {
      let taken = 0;
      for await (const { version } of walkStream({ ...way, waypoints }, after + 1)) {
        versions.push(version);
        if (++taken === 100) break;
      }
    }
    expect(versions).toEqual(Array.from({ length: LENGTH }, (_, index) => index + 1));
    expect(looked.count).toBeLessThan(LENGTH * 3);
  });

  it('I-7: the cache is bounded, and an evicted stream is still readable', async () => {
    const { way } = longStream();
    const waypoints = new Waypoints(64);
    waypoints.note('main/participant/b', 32, 7);
    expect(waypoints.at('main/participant/b', 32)).toBe(7);
    const versions: number[] = [];
    for await (const { version } of walkStream({ ...way, waypoints }, 1)) versions.push(version);
    expect(versions).toHaveLength(LENGTH);
    expect(waypoints.at('main/participant/b', 32)).toBeUndefined();
    let remembered = 0;
    for (let version = 32; version <= LENGTH; version += 32) {
      if (waypoints.at(STREAM, version) !== undefined) remembered++;
    }
    expect(remembered).toBeLessThanOrEqual(64);
  });

  it('I-7: yields to other work while reading many cached records', async () => {
    const folder = await temporaryFolder();
    const journal = await opened(folder);
    for (let version = 0; version < LENGTH; version += 500) {
      const some = Array.from({ length: 500 }, () => sample('x'));
      appended(await journal.append(STREAM, version, some));
    }
    await collect(journal.read(STREAM));
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    expect(await collect(journal.read(STREAM))).toHaveLength(LENGTH);
    isOver = true;
    expect(turns).toBeGreaterThan(LENGTH / 64);
    await journal.close();
  });

  it('starts at any version, even after the journal was reopened', async () => {
    const folder = await temporaryFolder();
    const journal = await opened(folder, { segmentBytes: 4_000 });
    for (let version = 0; version < 100; version++) {
      appended(await journal.append(STREAM, version, [sample(`${version + 1}`)]));
      appended(await journal.append('main/participant/b', version, [sample('other')]));
    }
    const expectAll = async (read: (from: number) => AsyncIterable<{ readonly version: number }>) => {
      for (const from of [1, 2, 31, 32, 33, 64, 65, 96, 97, 100, 101]) {
        const versions = (await collect(read(from))).map(({ version }) => version);
        expect(versions).toEqual(Array.from({ length: 101 - from }, (_, index) => from + index));
      }
    };
    await expectAll((from) => journal.read(STREAM, from));
    await journal.close();
    const again = await opened(folder);
    await expectAll((from) => again.read(STREAM, from));
    await again.close();
  });
});
