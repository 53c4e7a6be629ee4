import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { openLocalJournal } from '@proffer/journal';
import { afterAll, describe, expect, it } from 'vitest';
import { hasLeft } from '../../channel/client-stdio.js';
import { createTestClock } from '../../testing/test-clock.js';
import { createCallJournal, type KeptFact } from './call-journal.js';

const folder = mkdtempSync(join(tmpdir(), 'proffer-calls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const heard = (id: string): KeptFact => ({ type: 'heard', id });

/** Which of these were delivered, according to the next guard. */
async function heardIn(path: string, ...ids: readonly string[]): Promise<readonly string[]> {
  const memory = await createCallJournal(path).load();
  return ids.filter((id) => memory.has(heard(id)));
}

describe('delivery records', () => {
  it('are stored a moment later, so that an answer that died with its guard does not count', async () => {
    const clock = createTestClock();
    const path = join(folder, 'new', 'one');
    const journal = createCallJournal(path, { clock });
    journal.note(heard('a'));
    journal.note(heard('b'));
    expect(await heardIn(path, 'a', 'b')).toEqual([]);
    clock.pass(250);
    journal.note(heard('c'));
    await journal.load();
    expect(await heardIn(path, 'a', 'b', 'c')).toEqual(['a', 'b']);
    await journal.flush();
    expect(await heardIn(path, 'a', 'b', 'c')).toEqual(['a', 'b', 'c']);
  });

  it('do not count before the answer has left the process, nor if it never does', async () => {
    const clock = createTestClock();
    const path = join(folder, 'slow');
    let isRead = false;
    const waiting: (() => void)[] = [];
    const output = new Writable({
      write: (_chunk, _encoding, done) => (isRead ? done() : waiting.push(done)),
    });
    output.on('error', () => {});
    const journal = createCallJournal(path, { clock, hasLeft: () => hasLeft(output) });
    output.write('the outcome of a');
    journal.note(heard('a'));
    clock.pass(1_000);
    await journal.flush();
    expect(await heardIn(path, 'a')).toEqual([]);
    isRead = true;
    for (const done of waiting) done();
    clock.pass(250);
    await journal.flush();
    expect(await heardIn(path, 'a')).toEqual(['a']);
    isRead = false;
    output.write('the outcome of b');
    journal.note(heard('b'));
    output.destroy(new Error('nobody reads any more'));
    clock.pass(1_000);
    await journal.flush();
    expect(await heardIn(path, 'a', 'b')).toEqual(['a']);
  });

  it('stop nothing if they cannot be stored, which is reported once', async () => {
    const file = join(folder, 'plain');
    writeFileSync(file, '');
    const faults: unknown[] = [];
    const journal = createCallJournal(join(file, 'below'), { onFault: (error) => void faults.push(error) });
    expect((await journal.load()).has(heard('a'))).toBe(false);
    await journal.keep(heard('a'));
    await journal.keep(heard('b'));
    expect(faults).toHaveLength(1);
  });
});

describe('call journal', () => {
  it('is shared by guards that write at the same time', async () => {
    const path = join(folder, 'shared');
    const ids = Array.from({ length: 6 }, (_, index) => `call-${index}`);
    await Promise.all(ids.map((id) => createCallJournal(path).keep(heard(id))));
    expect(await heardIn(path, ...ids)).toEqual(ids);
  });

  it('O-23: knows the last started round of each call until its outcome was delivered', async () => {
    const path = join(folder, 'rounds');
    const journal = createCallJournal(path);
    await journal.keep({ type: 'began', id: 'a', round: 2 });
    await journal.keep({ type: 'began', id: 'b', round: 2 });
    await journal.keep({ type: 'began', id: 'a', round: 3 });
    await journal.keep({ type: 'heard', id: 'b', round: 2 });
    await journal.keep({ type: 'declared', id: 'a', round: 3 });
    const memory = await journal.load();
    expect(memory.unheardRounds).toEqual([{ id: 'a', round: 3 }]);
    expect(memory.has({ type: 'declared', id: 'a', round: 3 })).toBe(true);
    expect(memory.has(heard('b'))).toBe(false);
  });

  it('imports the file of an earlier version, without a truncated line, and removes it', async () => {
    const earlierFile = join(folder, 'delivered.txt');
    writeFileSync(earlierFile, 'call-1\ncall-2#2\ncall-3#2\ncall-3#2 told\ncall-2#2 unknown\ncall-ha');
    const path = join(folder, 'taken-over');
    const memory = await createCallJournal(path, { earlierFile }).load();
    expect(memory.has(heard('call-1'))).toBe(true);
    expect(memory.has(heard('call-ha'))).toBe(false);
    expect(memory.unheardRounds).toEqual([{ id: 'call-2', round: 2 }]);
    expect(memory.has({ type: 'declared', id: 'call-2', round: 2 })).toBe(true);
    expect(() => statSync(earlierFile)).toThrow('ENOENT');
    expect(await heardIn(path, 'call-1')).toEqual(['call-1']);
  });

  it('I-7: keeps the last 2,000 when there is more than twice that', async () => {
    const path = join(folder, 'long');
    const ids = Array.from({ length: 5_000 }, (_, index) => `call-${index}`);
    const journal = createCallJournal(path);
    for (const id of ids) journal.note(heard(id));
    await journal.flush();
    await journal.load();
    const opened = await openLocalJournal(path);
    if (!opened.ok) throw new Error(opened.refusal.message);
    const kept: unknown[] = [];
    for await (const { envelope } of opened.value.feed('calls', 0, { follow: false }))
      kept.push(envelope['id']);
    await opened.value.close();
    expect(kept.length).toBeLessThan(4_000);
    expect(kept.slice(-2_000)).toEqual(ids.slice(-2_000));
  });

  it('is readable by nobody else', async () => {
    const path = join(folder, 'private');
    await createCallJournal(path).keep(heard('a'));
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });
});
