import { mkdir, rm } from 'node:fs/promises';
import type { JsonObject } from '@proffer/core/json';
import type { RecordContent } from '@proffer/core/records';
import { checkpointText, formatNote, TreeKeeper } from '@proffer/evidence';
import { type SignerKey, signText, treeHashes } from '@proffer/evidence/node';
import { EVERY_SPACE, type Journal, openLocalJournal } from '@proffer/journal';
import { appended } from '@proffer/journal/testing';
import type { TreeStore } from '@proffer/journal/tree';

/** A record as a forger writes it: where it goes, and what it says. */
export interface Forged {
  readonly stream: string;
  readonly content: RecordContent & { readonly facts: JsonObject };
}

/** Reads the records of a journal's folder, in order. */
export async function readAll(folder: string): Promise<readonly Forged[]> {
  const opened = await openLocalJournal(folder, { reading: true });
  if (!opened.ok) throw new Error(opened.refusal.message);
  const found = await readFrom(opened.value);
  await opened.value.close();
  return found;
}

/** Reads the records of a journal, in order. */
export async function readFrom(journal: Journal): Promise<readonly Forged[]> {
  const found: Forged[] = [];
  const records = journal.feed(EVERY_SPACE, 0, { follow: false });
  for await (const { stream, type, time, principal, envelope, facts = {} } of records)
    found.push({ stream, content: { type, time, principal, envelope, facts } });
  return found;
}

/**
 * Writes a journal as somebody does who has the folder and knows how it is made: everything chained again, with the tree
 * over it, signed again with the key of the log.
 *
 * @returns the last checkpoint
 */
export async function writeAll(folder: string, records: readonly Forged[], key: SignerKey): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const opened = await openLocalJournal(folder);
  if (!opened.ok) throw new Error(opened.refusal.message);
  const note = await writeTo(opened.value, records, key);
  await opened.value.close();
  return note;
}

/** The same, in an open journal that is empty. */
export async function writeTo(
  journal: Journal & { readonly tree: TreeStore },
  records: readonly Forged[],
  key: SignerKey,
): Promise<string> {
  const versions = new Map<string, number>();
  for (const { stream, content } of records) {
    const version = versions.get(stream) ?? 0;
    appended(await journal.append(stream, version, [content]));
    versions.set(stream, version + 1);
  }
  const tree = await TreeKeeper.open(journal.tree, treeHashes);
  for await (const record of journal.feed(EVERY_SPACE, 0, { follow: false })) tree.add([record]);
  await tree.save();
  const text = checkpointText(key.verifier.name, tree.state());
  return formatNote({ text, signatures: [signText(key, text)] });
}
