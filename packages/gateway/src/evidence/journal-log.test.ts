import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  encodeEntry,
  formatNote,
  type NoteSignature,
  provesConsistency,
  provesInclusion,
  SIGNATURE_TYPES,
  TreeKeeper,
} from '@proffer/evidence';
import {
  cosignText,
  createWitness,
  formatSignerKey,
  makeSignerKey,
  signText,
  treeHashes,
} from '@proffer/evidence/node';
import { EVERY_SPACE, type LocalJournal, openLocalJournal } from '@proffer/journal';
import { appended, sample } from '@proffer/journal/testing';
import { createTreeMemory, ENTRY_BYTES } from '@proffer/journal/tree';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type JournalLogOptions, openJournalLog } from './journal-log.js';
import type { Witness } from './witnesses.js';

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

const SIGNED_AT = 86_400_000;
const witnessKey = makeSignerKey('witness.example', SIGNATURE_TYPES.witness);

/** A witness that signs at {@link SIGNED_AT}, and the statuses that it answered. */
async function startWitness(before = '') {
  const answer = createWitness({
    folder: home,
    key: witnessKey,
    logs: [key.verifier],
    now: () => SIGNED_AT,
  });
  const statuses: number[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body } = await answer(await text(request));
    statuses.push(status);
    response.writeHead(status).end(`${before}${body}`);
  };
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const leave = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { witnesses: [{ url: `http://127.0.0.1:${port}/`, key: witnessKey.verifier }], statuses, leave };
}

/** What a note is about, without its signatures. */
const stateIn = (note: string): string => note.slice(0, note.indexOf('\n\n') + 1);

const noteOf = (state: string, ...signers: ((state: string) => NoteSignature)[]): string =>
  formatNote({ text: state, signatures: signers.map((sign) => sign(state)) });

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
    const { witnesses, statuses } = await startWitness();
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
    const state = { size: 303, at: SIGNED_AT };
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

  describe('after a restart without its witness', () => {
    let witnesses: readonly Witness[];
    let signed: string;
    const witnessedFile = (): string => `${keyFile}.witnessed`;

    /** A witness signs three records, and is away when two more are signed. */
    beforeEach(async () => {
      const witness = await startWitness();
      witnesses = witness.witnesses;
      const { journal, log } = await open({ witnesses });
      if (!log.ok) throw new Error(log.refusal.message);
      await add(journal, 'main/a', 3);
      await log.value.checkpoint();
      await vi.waitUntil(() => log.value.witnessed()?.size === 3, { timeout: 20_000 });
      witness.leave();
      await add(journal, 'main/a', 2);
      await log.value.close();
      await journal.close();
      signed = await readFile(witnessedFile(), 'utf8');
    });

    /** What the gateway says after the restart, and tells its metrics. */
    async function restarted(more: Partial<JournalLogOptions> = {}) {
      const told: unknown[] = [];
      const { journal, log } = await open({ witnesses, onWitnessed: (one) => told.push(one), ...more });
      if (!log.ok) throw new Error(log.refusal.message);
      const known = log.value.witnessed();
      await log.value.close();
      await journal.close();
      return { known, told, signed: log.value.latest().size };
    }

    it('I-9: says when the witness signed last, and for how many records', async () => {
      const state = { size: 3, at: SIGNED_AT };
      // Also after the second restart.
      for (let restart = 1; restart <= 2; restart++)
        expect(await restarted()).toEqual({ known: state, told: [state], signed: 5 });
    });

    const cosigned = (state: string) => cosignText(witnessKey, state, SIGNED_AT);
    const forged = (state: string) => cosignText({ ...key, verifier: witnessKey.verifier }, state, SIGNED_AT);
    const own = (state: string) => signText(key, state);
    const foreign = (state: string) => signText(makeSignerKey('proffer.example/log'), state);
    it.each<[string, (state: string) => string]>([
      ['is damaged', (state) => noteOf(state, own, cosigned).slice(0, -20)],
      ['is empty', () => ''],
      ['has a false signature of the witness', (state) => noteOf(state, own, forged)],
      [
        'has a false signature of the witness and a true one',
        (state) => noteOf(state, own, cosigned, forged),
      ],
      ['has no signature of the witness', (state) => noteOf(state, own)],
      ['has no signature of the log', (state) => noteOf(state, cosigned)],
      ['is of another log', (state) => noteOf(state, foreign, cosigned)],
      ['is of another history', (state) => noteOf(state.replace(/^3$/mu, '2'), own, cosigned)],
    ])('I-9: starts, and knows of no witness, if what is beside its key %s', async (_, note) => {
      await writeFile(witnessedFile(), note(stateIn(signed)));
      expect(await restarted()).toEqual({ known: undefined, told: [], signed: 5 });
    });

    it('I-9: starts if what is beside its key cannot be read', async () => {
      await rm(witnessedFile());
      await mkdir(witnessedFile());
      expect(await restarted()).toEqual({ known: undefined, told: [], signed: 5 });
    });

    it('I-9: believes only witnesses that it has', async () => {
      const other = makeSignerKey('witness.example', SIGNATURE_TYPES.witness).verifier;
      expect(await restarted({ witnesses: [{ url: 'http://127.0.0.1:9', key: other }] })).toMatchObject({
        known: undefined,
      });
    });

    it('I-9: does not believe the last checkpoint, either, that a witness signed it', async () => {
      const last = `${keyFile}.checkpoint`;
      await writeFile(last, noteOf(stateIn(await readFile(last, 'utf8')), own, forged));
      expect((await restarted()).known).toEqual({ size: 3, at: SIGNED_AT });
    });
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
    const { witnesses } = await startWitness('— witness.example AAAAAAAAAAAA\n'.repeat(70));
    const { journal, log } = await open({ witnesses });
    if (!log.ok) throw new Error(log.refusal.message);
    await add(journal, 'main/a', 1);
    await log.value.checkpoint();
    await expect.poll(() => log.value.latest().note.signatures).toHaveLength(2);
    await log.value.close();
    await journal.close();
  });
});
