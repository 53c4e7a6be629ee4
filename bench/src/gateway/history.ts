import { openLocalJournal } from '@proffer/journal';
import { answer, createWorld, decide, fulfil, propose } from '../core/messages/operations.js';

export interface HistoryOptions {
  readonly folder: string;
  readonly records: number;
  /** Used in rotation. */
  readonly spaces: readonly string[];
}

/** Cycles appended between waits for the disk. */
const AT_ONCE = 500;

/**
 * Writes a journal as a gateway would: proposals that were fulfilled and answered, three records each, with
 * one in a hundred left pending. Returns the number of records.
 */
export async function writeHistory({ folder, records, spaces }: HistoryOptions): Promise<number> {
  const opened = await openLocalJournal(folder);
  if (!opened.ok) throw new Error(opened.refusal.message);
  const journal = opened.value;
  const worlds = spaces.map((name) => createWorld(name));
  let written = 0;
  for (let cycle = 0; written < records; ) {
    const outcomes = [];
    for (const end = cycle + AT_ONCE; cycle < end && written < records; cycle++) {
      const world = worlds[cycle % worlds.length] ?? createWorld();
      const id = `p-${cycle}`;
      const messages =
        cycle % 100 === 0
          ? [propose(id)]
          : [propose(id), fulfil(`r-${cycle}`, id), answer(`a-${cycle}`, `r-${cycle}`)];
      for (const message of messages) {
        const { stream, expectedVersion, records: contents } = decide(world, message);
        outcomes.push(journal.append(stream, expectedVersion, contents));
        written += contents.length;
      }
    }
    for (const { status } of await Promise.all(outcomes)) {
      if (status !== 'appended') throw new Error(`an append ended with ${status}`);
    }
  }
  await journal.close();
  return written;
}
