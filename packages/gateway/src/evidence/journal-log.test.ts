import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  encodeEntry,
  provesConsistency,
  provesInclusion,
  SIGNATURE_TYPES,
  TreeKeeper,
} from '@proffer/evidence';
import { createWitness, formatSignerKey, makeSignerKey, treeHashes } from '@proffer/evidence/node';
import { EVERY_SPACE, type LocalJournal, openLocalJournal } from '@proffer/journal';
import { appended, sample } from '@proffer/journal/testing';
import { createTreeMemory, ENTRY_BYTES } from '@proffer/journal/tree';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type JournalLogOptions, openJournalLog } from './journal-log.js';

const silent = { error: () => {}, warn: () => {} };
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

async function open(more: Partial<JournalLogOptions> = {}) {
  const opened = await openLocalJournal(folder);
  if (!opened.ok) throw new Error(opened.refusal.message);
  const journal: LocalJournal = opened.value;
  const log = await openJournalLog({
    journal,
    tree: journal.tree,
    keyFile,
    every: 3_600_000,
    log: silent,
    ...more,
  });
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

  it('I-11: continues after a kill between its first records and the next checkpoint', async () => {
    const first = await open();
    if (!first.log.ok) throw new Error(first.log.refusal.message);
    const signed = await readFile(`${keyFile}.checkpoint`);
    expect(first.log.value.latest().size).toBe(0);
    await add(first.journal, 'main/a', 5);
    await first.log.value.close();
    await first.journal.close();
    await writeFile(`${keyFile}.checkpoint`, signed);
    const { journal, log } = await open();
    expect(log).toMatchObject({ ok: true });
    if (log.ok) {
      expect((await log.value.checkpoint()).size).toBe(5);
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

  it('has its checkpoints signed by witnesses and adds them to a file; a witness refuses a second history', async () => {
    const witnessKey = makeSignerKey('witness.example', SIGNATURE_TYPES.witness);
    const answer = createWitness({
      folder: home,
      key: witnessKey,
      logs: [key.verifier],
      now: () => 86_400_000,
    });
    const statuses: number[] = [];
    const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { status, body } = await answer(await text(request));
      statuses.push(status);
      response.writeHead(status).end(body);
    };
    const server = createServer((request, response) => void respond(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const witnesses = [{ url: `http://127.0.0.1:${port}/`, key: witnessKey.verifier }];
    const publish = [join(home, 'published')];
    const { journal, log } = await open({ witnesses, publish });
    if (!log.ok) throw new Error(log.refusal.message);
    for (const count of [3, 300]) {
      await add(journal, `main/${count}`, count);
      await log.value.checkpoint();
      await expect
        .poll(() => log.value.latest().note.signatures.map(({ name }) => name))
        .toContain('witness.example');
    }
    const state = { size: 303, at: 86_400_000 };
    await expect.poll(() => log.value.witnessed()).toEqual(state);
    await log.value.close();
    await journal.close();
    // It is known after a restart, too.
    const told: unknown[] = [];
    const again = await open({ witnesses, onWitnessed: (one) => told.push(one) });
    if (!again.log.ok) throw new Error(again.log.refusal.message);
    expect(again.log.value.witnessed()).toEqual(state);
    expect(told).toEqual([state]);
    await again.log.value.close();
    await again.journal.close();
    const [last] = (await readFile(`${keyFile}.checkpoint`, 'utf8')).match(/witness[.]example/gu) ?? [];
    expect(last).toBe('witness.example');
    expect((await readFile(publish[0] ?? '', 'utf8')).match(/^\d+$/gmu)).toEqual(
      expect.arrayContaining(['3', '303']),
    );
    // Everything is rewritten, and the key is known: only the witness notices.
    await rm(folder, { recursive: true });
    await rm(`${keyFile}.checkpoint`);
    statuses.length = 0;
    const forged = await open({ witnesses });
    if (!forged.log.ok) throw new Error(forged.log.refusal.message);
    await add(forged.journal, 'main/forged', 400);
    await forged.log.value.checkpoint();
    await expect.poll(() => statuses.at(-1)).toBe(422);
    await forged.log.value.close();
    await forged.journal.close();
    expect(statuses).not.toContain(200);
  });

  it.each([
    ['zeros, from a power cut', () => new Uint8Array(2 * ENTRY_BYTES)],
    ['a place after all records', () => encodeEntry({ seq: 1_000_000, hash: 'ab'.repeat(32) })],
    ['another record', () => encodeEntry({ seq: 4, hash: 'ab'.repeat(32) })],
  ])('signs what is in the journal, although its stored tree ends with %s', async (_, rest) => {
    const first = await open();
    if (!first.log.ok) throw new Error(first.log.refusal.message);
    await add(first.journal, 'main/a', 3);
    await first.log.value.close();
    await first.journal.close();
    await appendFile(join(folder, 'tree.entries'), rest());
    const { journal, log } = await open();
    if (!log.ok) throw new Error(log.refusal.message);
    await add(journal, 'main/a', 2);
    const signed = await log.value.checkpoint();
    const fresh = await TreeKeeper.open(createTreeMemory(), treeHashes);
    for await (const record of journal.feed(EVERY_SPACE, 0, { follow: false })) fresh.add([record]);
    expect(signed).toMatchObject({ size: 5, root: fresh.state().root });
    await log.value.close();
    await journal.close();
  });

  it('makes a damaged tree anew', async () => {
    const first = await open();
    await add(first.journal, 'main/a', 3);
    if (first.log.ok) await first.log.value.close();
    await first.journal.close();
    await writeFile(join(folder, 'tree.entries'), new Uint8Array(3 * ENTRY_BYTES));
    for (const size of [4, 5]) {
      const { journal, log } = await open();
      if (!log.ok) throw new Error(log.refusal.message);
      await add(journal, 'main/b', 1);
      expect(await log.value.checkpoint()).toMatchObject({ size });
      await log.value.close();
      await journal.close();
    }
  });

  it('refuses records that were replaced, although the tree over the old ones is still there', async () => {
    const first = await open();
    await add(first.journal, 'main/a', 5);
    if (first.log.ok) await first.log.value.close();
    await first.journal.close();
    const tree = await readFile(join(folder, 'tree.entries'));
    for (const count of [4, 5, 6]) {
      await rm(folder, { recursive: true });
      const forged = await openLocalJournal(folder);
      if (!forged.ok) throw new Error(forged.refusal.message);
      await add(forged.value, 'main/b', count);
      await forged.value.close();
      await writeFile(join(folder, 'tree.entries'), tree);
      const { journal, log } = await open();
      expect(log).toMatchObject({ ok: false, refusal: { code: 'rewritten_journal' } });
      await journal.close();
    }
  });

  it('refuses to forget what it signed last', async () => {
    const first = await open();
    await add(first.journal, 'main/a', 3);
    if (first.log.ok) await first.log.value.close();
    await first.journal.close();
    await writeFile(`${keyFile}.checkpoint`, 'garbage');
    const { journal, log } = await open();
    expect(log).toMatchObject({ ok: false, refusal: { code: 'rewritten_journal' } });
    await journal.close();
  });

  it('keeps no signature of a witness but the one it asked for', async () => {
    const witnessKey = makeSignerKey('witness.example', SIGNATURE_TYPES.witness);
    const answer = createWitness({
      folder: home,
      key: witnessKey,
      logs: [key.verifier],
      now: () => 86_400_000,
    });
    const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { body } = await answer(await text(request));
      const junk = '— witness.example AAAAAAAAAAAA\n'.repeat(70);
      response.writeHead(200).end(`${junk}${body}`);
    };
    const server = createServer((request, response) => void respond(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { journal, log } = await open({
      witnesses: [{ url: `http://127.0.0.1:${port}`, key: witnessKey.verifier }],
    });
    if (!log.ok) throw new Error(log.refusal.message);
    await add(journal, 'main/a', 1);
    await log.value.checkpoint();
    await expect.poll(() => log.value.latest().note.signatures).toHaveLength(2);
    await log.value.close();
    await journal.close();
  });
});
