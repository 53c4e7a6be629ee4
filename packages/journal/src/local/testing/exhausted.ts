import { openSync } from 'node:fs';
import { devNull } from 'node:os';
import { appended, collect, sample, texts } from '../../testing/index.js';
import { opened } from './open.js';

// A process that uses up its descriptors, as connections do, and then continues with its journal:
// appends through several segments, and reads everything from disk several times at once. Reports
// the result.
const [folder = ''] = process.argv.slice(2);
const journal = await opened(folder, { segmentBytes: 2_000, tail: { records: 1, bytes: 1 } });
const received: string[] = [];
journal.watch(({ type }) => received.push(type));
await journal.append('main/proposal/1', 0, [sample('0')]);

let used = 0;
try {
  for (;;) {
    openSync(devNull, 'r');
    used++;
  }
} catch {
  // There are none left.
}
for (let version = 1; version < 60; version++) {
  appended(await journal.append('main/proposal/1', version, [sample(String(version))]));
}
const read = (): Promise<readonly string[]> =>
  collect(journal.feed('main', 0, { follow: false })).then(texts);
const found = await Promise.all(Array.from({ length: 12 }, read));
await collect(journal.read('main/proposal/1'));
const { faults } = await journal.verify();
await journal.close();
process.stdout.write(
  `${JSON.stringify({ used, received, found: found.map(({ length }) => length), faults })}\n`,
);
