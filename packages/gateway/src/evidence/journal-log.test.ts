import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeEntry, provesConsistency, provesInclusion } from '@proffer/evidence';
import { formatSignerKey, makeSignerKey, treeHashes } from '@proffer/evidence/node';
import { EVERY_SPACE, type LocalJournal, openLocalJournal } from '@proffer/journal';
import { appended, sample } from '@proffer/journal/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJournalLog } from './journal-log.js';

const silent = { error: () => {} };
const key = makeSignerKey('proffer.example/log');
let home: string;
let folder: string;
let keyFile: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'proffer-log-'));
  folder = join(home, 'data');
  keyFile = join(home, 'log.key');
  await writeFile(keyFile, `${formatSignerKey(key)}\n`);
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function open() {
  const opened = await openLocalJournal(folder);
  if (!opened.ok) throw new Error(opened.refusal.message);
  const journal: LocalJournal = opened.value;
  const log = await openJournalLog({ journal, tree: journal.tree, keyFile, every: 3_600_000, log: silent });
  return { journal, log };
}

async function add(journal: LocalJournal, stream: string, count: number): Promise<void> {
  const { version } = journal.headNow(stream);
  const contents = Array.from({ length: count }, (_, index) => sample(`record ${index}`));
  appended(await journal.append(stream, version, contents));
}

describe('the log of a journal', () => {
  it('signs what is durable, and proves each record and each earlier state', async () => {
    const { journal, log } = await open();
    if (!log.ok) throw new Error(log.refusal.message);
    await add(journal, 'main/a', 300);
    const first = await log.value.checkpoint();
    expect(first.size).toBe(300);
    await add(journal, 'main/b', 20);
    const second = await log.value.checkpoint();
    const { tree } = log.value;
    const proof = await tree.proveConsistency(first.size, second.size);
    const states = { earlier: first.size, earlierRoot: first.root, size: second.size, root: second.root };
    expect(provesConsistency(states, proof, treeHashes)).toBe(true);
    for await (const record of journal.feed(EVERY_SPACE, 0, { follow: false })) {
      const found = await tree.proveInclusion(record.seq, second.size);
      const leaf = treeHashes.leaf(encodeEntry(record));
      const claim = { leaf, index: found?.index ?? -1, size: second.size, root: second.root };
      expect(provesInclusion(claim, found?.proof ?? [], treeHashes)).toBe(true);
    }
    await log.value.close();
    await journal.close();
  });

  it('makes a last checkpoint when it stops, and continues from there', async () => {
    const first = await open();
    if (!first.log.ok) throw new Error(first.log.refusal.message);
    await add(first.journal, 'main/a', 5);
    await first.log.value.close();
    await first.journal.close();
    expect(first.log.value.latest().size).toBe(5);
    const { journal, log } = await open();
    expect(log).toMatchObject({ ok: true });
    if (log.ok) {
      expect(log.value.latest().size).toBe(5);
      await add(journal, 'main/a', 5);
      expect((await log.value.checkpoint()).size).toBe(10);
      await log.value.close();
    }
    await journal.close();
  });

  it('refuses a journal from which signed records are gone, even if the journal itself is in order', async () => {
    const { journal, log } = await open();
    await add(journal, 'main/a', 3);
    if (log.ok) await log.value.close();
    await journal.close();
    // The folder of another journal, chained as well as the first.
    await rm(folder, { recursive: true });
    const again = await openLocalJournal(folder);
    if (!again.ok) throw new Error(again.refusal.message);
    await add(again.value, 'main/a', 2);
    await add(again.value, 'main/b', 2);
    await again.value.close();
    const replaced = await open();
    expect(replaced.log).toMatchObject({
      ok: false,
      refusal: { code: 'rewritten_journal', details: { size: 3 } },
    });
    await replaced.journal.close();
  });

  it('is signed by the old and the new key while the key is replaced', async () => {
    const next = makeSignerKey('proffer.example/log');
    await writeFile(keyFile, `${formatSignerKey(next)}\n${formatSignerKey(key)}\n`);
    const { journal, log } = await open();
    if (!log.ok) throw new Error(log.refusal.message);
    const { note } = await log.value.checkpoint();
    expect(note.signatures.map(({ id }) => id)).toEqual([next.verifier.id, key.verifier.id]);
    await log.value.close();
    await journal.close();
  });
});
