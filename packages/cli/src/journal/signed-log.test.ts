import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  checkpointText,
  formatNote,
  formatVerifierKey,
  parseCheckpoint,
  TreeKeeper,
} from '@proffer/evidence';
import { cosignText, makeSignerKey, signText, treeHashes } from '@proffer/evidence/node';
import { EVERY_SPACE, openLocalJournal } from '@proffer/journal';
import { appended, sample } from '@proffer/journal/testing';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { runHere } from '../testing/in-process.js';

const key = makeSignerKey('proffer.example/log');
const witness = makeSignerKey('witness.example', 4);

/** Writes a journal with these records and the tree over them, as a gateway does; returns a checkpoint of it. */
async function write(
  folder: string,
  texts: readonly string[],
  { tree: hasTree = true, witnessed = false }: { readonly tree?: boolean; readonly witnessed?: boolean } = {},
): Promise<string> {
  const opened = await openLocalJournal(folder);
  if (!opened.ok) throw new Error(opened.refusal.message);
  await using journal = { ...opened, [Symbol.asyncDispose]: () => opened.value.close() };
  const { value } = journal;
  for (const [at, text] of texts.entries())
    appended(await value.append(`system:sample/${at % 2}`, Math.floor(at / 2), [sample(text)]));
  const tree = await TreeKeeper.open(value.tree, treeHashes);
  for await (const record of value.feed(EVERY_SPACE, 0, { follow: false })) tree.add([record]);
  if (hasTree) await tree.save();
  const text = checkpointText(key.verifier.name, tree.state());
  const signatures = [
    signText(key, text),
    ...(witnessed ? [cosignText(witness, text, Date.UTC(2026, 0, 2))] : []),
  ];
  return formatNote({ text, signatures });
}

const TEXTS = ['a', 'b', 'c', 'd', 'e'];
const KEYS = [key, witness].flatMap(({ verifier }) => ['--log-key', formatVerifierKey(verifier)]);

async function verify(folder: string, note: string, keys: readonly string[] = KEYS) {
  const file = `${folder}.checkpoint`;
  await writeFile(file, note);
  return await runHere(['verify', '--data', folder, '--checkpoint', file, ...keys]);
}

describe('verify with a signed log', () => {
  it('says what is proved, what is only consistent, and what needs a witness', async () => {
    await using home = await temporaryFolder();
    const folder = join(home.path, 'data');
    const note = await write(folder, TEXTS);
    const { code, stdout } = await verify(folder, note);
    expect(code).toBe(0);
    expect(stdout).toContain('The first 5 records are what proffer.example/log signed');
    expect(stdout).toContain('Nobody can know without a witness:');
    const strange = await verify(folder, note, []);
    expect(strange).toMatchObject({ code: 0 });
    expect(strange.stdout).toContain('but no given key signed it');
  });

  it('counts what a witness signed as known, with its time', async () => {
    await using home = await temporaryFolder();
    const folder = join(home.path, 'data');
    const { code, stdout } = await verify(folder, await write(folder, TEXTS, { witnessed: true }));
    expect(code).toBe(0);
    expect(stdout).toContain('witness.example (');
    expect(stdout).not.toContain('Nobody can know');
  });

  it.each([
    ['an amount that was changed', ['a', 'b', 'X', 'd', 'e'], 'The record at seq 3 is not the one'],
    [
      'records that were reordered across streams',
      ['b', 'a', 'c', 'd', 'e'],
      'The record at seq 1 is not the one',
    ],
    ['the last records cut off', ['a', 'b', 'c'], '2 records of the log are missing'],
  ])('finds %s, although every chain is in order', async (_, forged, sentence) => {
    await using home = await temporaryFolder();
    const [real, other] = [join(home.path, 'data'), join(home.path, 'other')];
    const note = await write(real, TEXTS);
    await write(other, forged, { tree: false });
    await cp(join(real, 'tree.entries'), join(other, 'tree.entries'));
    const { code, stdout } = await verify(other, note);
    expect(code).not.toBe(0);
    expect(stdout).toContain(sentence);
    expect(stdout).toMatch(/The log of 5 records is what .+: the records are not those that it was made of/);
    expect(stdout).not.toContain('The first 5 records are');
  });

  it.each([
    ['changed', ['a', 'b', 'X', 'd', 'e'], 'The journal does not begin with the 5 records'],
    ['cut off', ['a', 'b', 'c'], 'covers 5 records, and the journal has only 3'],
  ])('finds records that were %s although the tree was made anew', async (_, forged, sentence) => {
    await using home = await temporaryFolder();
    const folder = join(home.path, 'data');
    const note = await write(folder, TEXTS);
    await rm(folder, { recursive: true });
    await write(folder, forged);
    const { code, stdout } = await verify(folder, note);
    expect(code).not.toBe(0);
    expect(stdout).toContain(sentence);
  });

  it('I-9: takes a checkpoint that the old and the new key signed, whichever of them the reader has', async () => {
    await using home = await temporaryFolder();
    const folder = join(home.path, 'data');
    const next = makeSignerKey('proffer.example/log');
    const note = parseCheckpoint(await write(folder, TEXTS))?.note ?? { text: '', signatures: [] };
    const both = formatNote({ ...note, signatures: [signText(next, note.text), ...note.signatures] });
    for (const keys of [[key], [next], [key, next]]) {
      const given = keys.flatMap(({ verifier }) => ['--log-key', formatVerifierKey(verifier)]);
      const { code, stdout } = await verify(folder, both, given);
      expect(stdout).toContain('The first 5 records are what proffer.example/log signed (');
      expect(code).toBe(0);
    }
  });

  it('accepts no signature that is not from its key', async () => {
    await using home = await temporaryFolder();
    const folder = join(home.path, 'data');
    await write(folder, TEXTS);
    const forged = await write(join(home.path, 'other'), ['a']);
    const honest = await write(join(home.path, 'third'), TEXTS);
    const [text = ''] = honest.split('\n\n');
    const [, signature = ''] = forged.split('\n\n');
    const { code, stdout } = await verify(folder, `${text}\n\n${signature}`);
    expect(code).not.toBe(0);
    expect(stdout).toContain('is not from the key that it names');
  });

  it('still fits after a copy', async () => {
    await using home = await temporaryFolder();
    const [folder, copy] = [join(home.path, 'data'), join(home.path, 'copy')];
    const note = await write(folder, TEXTS);
    expect(await runHere(['copy', folder, copy])).toMatchObject({ code: 0 });
    const { code, stdout } = await verify(copy, note);
    expect(code).toBe(0);
    expect(stdout).toContain('The first 5 records are what');
  });

  it('takes a file with many checkpoints, one of them cut off', async () => {
    await using home = await temporaryFolder();
    const folder = join(home.path, 'data');
    const notes = [await write(join(home.path, 'early'), TEXTS.slice(0, 2), { witnessed: true })];
    const note = await write(folder, TEXTS);
    const { code, stdout } = await verify(folder, `${notes.join('')}proffer.example/log\n4\nAAA\n${note}`);
    expect(code).toBe(0);
    expect(stdout).toContain('The first 2 records are what proffer.example/log and witness.example');
    expect(stdout).not.toContain('Nobody can know');
  });

  it('reads a long file that is no checkpoint, and says so', async () => {
    await using home = await temporaryFolder();
    const folder = join(home.path, 'data');
    await write(folder, TEXTS);
    const { code, stderr } = await verify(folder, `${'a\n'.repeat(500_000)}—`);
    expect(code).toBe(2);
    expect(stderr).toContain('is not a checkpoint');
  });

  it('does not take a damaged tree for changed records', async () => {
    await using home = await temporaryFolder();
    const folder = join(home.path, 'data');
    const note = await write(folder, TEXTS);
    await writeFile(join(folder, 'tree.entries'), new Uint8Array(5 * 40));
    const { code, stdout } = await verify(folder, note);
    expect(code).toBe(0);
    expect(stdout).toContain('The first 5 records are what');
  });
});
