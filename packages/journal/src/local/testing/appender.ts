import { EVERY_SPACE } from '../../journal.js';
import { sample } from '../../testing/sample.js';
import { openLocalJournal } from '../open-local-journal.js';
import { snapshotOf } from './snapshot-of.js';

// A separate process that appends as fast as it can, several at a time, until it is killed. It
// reports what was acknowledged and saved, one line each, with writes that survive the process.
const [folder = '', round = '', durability = 'power'] = process.argv.slice(2);
const result = await openLocalJournal(folder, {
  segmentBytes: 20_000,
  durability: durability === 'process' ? 'process' : 'power',
});
if (!result.ok) {
  process.stdout.write(`${JSON.stringify({ refused: result.refusal })}\n`);
  process.exit(1);
}
const journal = result.value;
process.stdout.write(`${JSON.stringify({ opened: process.pid })}\n`);

async function appendForEver(writer: number): Promise<never> {
  const stream = `main/participant/${writer}`;
  let { version } = await journal.head(stream);
  for (;;) {
    const outcome = await journal.append(stream, version, [
      sample(`${round}-${writer}-${version}`),
      sample('pair'),
    ]);
    if (outcome.status !== 'appended') throw new Error(outcome.status);
    version += 2;
    const seqs = outcome.records.map(({ seq }) => seq);
    process.stdout.write(`${JSON.stringify({ stream, version, seqs })}\n`);
  }
}

/** Writes one snapshot after another; each carries its number throughout. */
async function saveForEver(): Promise<never> {
  for (;;) {
    const seq = await journal.lastSeq(EVERY_SPACE);
    if (seq > 0) {
      await journal.snapshots.save(seq, snapshotOf(seq));
      process.stdout.write(`${JSON.stringify({ saved: seq })}\n`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

await Promise.all([saveForEver(), ...[0, 1, 2, 3, 4, 5, 6, 7].map((writer) => appendForEver(writer))]);
