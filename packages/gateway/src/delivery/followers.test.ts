import { sessionStream } from '@proffer/core/negotiation';
import { createMemoryJournal, type StoredRecord } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import type { AcceptedRecord, Listener } from '../negotiation/index.js';
import { createGate, journalWith } from '../testing/journals.js';
import { Followers } from './followers.js';

const STREAM = sessionStream('0190a5c2-7b1e-7c3d-8f00-0123456789ab');
const SESSION = STREAM.slice(STREAM.lastIndexOf('/') + 1);
const CONTENT = { type: 'said', time: 0, principal: 'p', envelope: {} };

/** A session in a journal whose first read ends only on command, with what existed when it began. */
async function createStage() {
  const journal = createMemoryJournal();
  const append = async (): Promise<AcceptedRecord> => {
    const { version } = await journal.head(STREAM);
    const outcome = await journal.append(STREAM, version, [CONTENT]);
    if (outcome.status !== 'appended') throw new Error(outcome.status);
    return outcome.records[0] as StoredRecord as AcceptedRecord;
  };
  await append();
  const gate = createGate();
  let readings = 0;
  const slow = journalWith(journal, {
    async *read(stream, from) {
      const isFirst = readings++ === 0;
      const records: StoredRecord[] = [];
      for await (const record of journal.read(stream, from)) records.push(record);
      if (isFirst) await gate.opened;
      yield* records;
    },
  });
  const followers = new Followers({ journal: slow, maxUnread: 1_000, onFellBehind: () => {} });
  const seen: number[] = [];
  const endings: string[] = [];
  const listener: Listener<AcceptedRecord> = {
    write: ({ version }) => void seen.push(version),
    buffered: () => 0,
    drained: () => Promise.resolve(),
    end: (why) => void endings.push(why),
  };
  return { append, gate, followers, seen, endings, listener };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('following', () => {
  it('I-6: neither misses, repeats nor reorders what arrives while history is read', async () => {
    const { append, gate, followers, seen, listener } = await createStage();
    followers.follow(SESSION, 0, { listener, mayStay: () => true });
    followers.deliver(SESSION, await append());
    followers.deliver(SESSION, await append());
    await settled();
    expect(seen).toEqual([]);
    gate.open();
    await settled();
    expect(seen).toEqual([1, 2, 3]);
    followers.deliver(SESSION, await append());
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  it('I-6: does not treat what arrives during an empty read as removed', async () => {
    const { append, gate, followers, seen, listener } = await createStage();
    followers.follow(SESSION, 1, { listener, mayStay: () => true });
    await settled();
    followers.deliver(SESSION, await append());
    gate.open();
    await settled();
    expect(seen).toEqual([2]);
  });

  it('I-6: does not repeat what history already had, and reads what was skipped', async () => {
    const { append, gate, followers, seen, listener } = await createStage();
    gate.open();
    const second = await append();
    followers.follow(SESSION, 0, { listener, mayStay: () => true });
    await settled();
    followers.deliver(SESSION, second);
    expect(seen).toEqual([1, 2]);
    await append();
    followers.deliver(SESSION, await append());
    await settled();
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  it('I-6: delivers nothing after it was stopped, also during history', async () => {
    const { append, gate, followers, seen, endings, listener } = await createStage();
    const subscription = followers.follow(SESSION, 0, { listener, mayStay: () => true });
    subscription.stop();
    gate.open();
    followers.deliver(SESSION, await append());
    await settled();
    followers.end();
    expect({ seen, endings }).toEqual({ seen: [], endings: [] });
  });

  it('I-4: disconnects a reader that lost its right, and tells newcomers that it has ended', async () => {
    const { gate, followers, endings, listener } = await createStage();
    gate.open();
    let may = true;
    followers.follow(SESSION, 0, { listener, mayStay: () => may });
    followers.dismiss();
    expect(endings).toEqual([]);
    may = false;
    followers.dismiss();
    followers.end();
    followers.follow(SESSION, 0, { listener, mayStay: () => true });
    expect(endings).toEqual(['credential_revoked', 'going_away']);
  });
});
