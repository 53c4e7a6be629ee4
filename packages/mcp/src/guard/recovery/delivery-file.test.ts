import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { hasLeft } from '../../channel/stdio-front.js';
import { createTestClock } from '../../testing/test-clock.js';
import { createDeliveryFile } from './delivery-file.js';

const folder = mkdtempSync(join(tmpdir(), 'proffer-deliveries-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('what was delivered', () => {
  it('is kept a moment later, so that an answer that died with its guard does not count', () => {
    const clock = createTestClock();
    const file = join(folder, 'new', 'one.txt');
    const store = createDeliveryFile(file, { clock });
    expect(store.load()).toEqual(new Set());
    store.note('a');
    store.note('b');
    expect(createDeliveryFile(file).load()).toEqual(new Set());
    clock.pass(250);
    store.note('c');
    expect(createDeliveryFile(file).load()).toEqual(new Set(['a', 'b']));
    store.flush();
    clock.pass(250);
    expect(readFileSync(file, 'utf8')).toBe('a\nb\nc\n');
  });

  it('does not count before it has left the process, nor when that never happens', () => {
    const clock = createTestClock();
    const file = join(folder, 'slow.txt');
    let isRead = false;
    const output = new Writable({
      write: (_chunk, _encoding, done) => (isRead ? done() : waiting.push(done)),
    });
    const waiting: (() => void)[] = [];
    output.on('error', () => {});
    const store = createDeliveryFile(file, { clock, hasLeft: () => hasLeft(output) });
    output.write('the outcome of a');
    store.note('a');
    clock.pass(1_000);
    store.flush();
    expect(createDeliveryFile(file).load()).toEqual(new Set());
    isRead = true;
    for (const done of waiting) done();
    clock.pass(250);
    expect(createDeliveryFile(file).load()).toEqual(new Set(['a']));
    isRead = false;
    output.write('the outcome of b');
    store.note('b');
    output.destroy(new Error('nobody reads any more'));
    clock.pass(1_000);
    store.flush();
    expect(createDeliveryFile(file).load()).toEqual(new Set(['a']));
  });

  it('I-7: is the last 2,000 when there is more than twice that, and never half an id', () => {
    const file = join(folder, 'long.txt');
    const ids = Array.from({ length: 5_000 }, (_, index) => `call-${index}`);
    writeFileSync(file, `${ids.join('\n')}\ncall-hal`);
    const kept = ids.slice(-2_000);
    expect([...createDeliveryFile(file).load()]).toEqual(kept);
    expect(readFileSync(file, 'utf8')).toBe(`${kept.join('\n')}\n`);
  });

  it('I-7: is made shorter also while a guard runs', () => {
    const file = join(folder, 'growing.txt');
    const store = createDeliveryFile(file);
    store.load();
    const ids = Array.from({ length: 10_000 }, (_, index) => `call-${index}`);
    for (const [index, id] of ids.entries()) {
      store.note(id);
      if (index % 100 === 99) store.flush();
    }
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    expect(lines.length).toBeLessThanOrEqual(4_000);
    expect(lines).toEqual(ids.slice(-lines.length));
  });

  it('I-1: is not mixed with what somebody who died did not write to the end', () => {
    const file = join(folder, 'cut.txt');
    writeFileSync(file, 'call-1\ncall-tw');
    const store = createDeliveryFile(file);
    expect(store.load()).toEqual(new Set(['call-1']));
    store.note('call-3');
    store.flush();
    expect(createDeliveryFile(file).load()).toContain('call-3');
  });

  it('is for nobody else to read, also if the file was', () => {
    const file = join(folder, 'open.txt');
    writeFileSync(file, 'call-1\n');
    chmodSync(file, 0o644);
    createDeliveryFile(file).load();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('stops nothing where it cannot be kept, which is said once', () => {
    const file = join(folder, 'plain');
    writeFileSync(file, '');
    const faults: unknown[] = [];
    const store = createDeliveryFile(join(file, 'below.txt'), {
      onFault: (error) => void faults.push(error),
    });
    expect(store.load()).toEqual(new Set());
    for (const id of ['a', 'b']) {
      store.note(id);
      store.flush();
    }
    expect(faults).toHaveLength(1);
  });
});
