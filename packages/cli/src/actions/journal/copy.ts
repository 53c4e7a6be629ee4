import { resolve } from 'node:path';
import type { Result } from '@proffer/core';
import { count } from '@proffer/core/words';
import {
  type CopyReport,
  copyLocalJournal,
  folderOf,
  type JournalPlace,
  openLocalJournal,
  readRemoved,
  verifyLocalJournal,
} from '@proffer/journal';
import { CommandFailure, EXIT, usageFailure } from '../../command-failure.js';
import { journalFailure } from '../../journal/damaged.js';
import { journalFolder } from '../../journal/folder.js';
import { folderPlace, isAddress, journalPlace, nameOfPlace, parseAddress } from '../../journal/place.js';
import { sharedBackend } from '../../journal/read-journal.js';
import { printJson, type Shell } from '../../terminal/shell.js';

/** Command-line options of `copy`. */
export interface CopyOptions {
  readonly replicas: number;
  readonly json?: boolean;
}

/** Copies a journal between folders and servers, and verifies the copy. */
export async function copy(from: string, to: string, options: CopyOptions, shell: Shell): Promise<void> {
  const source = await placeNamed(from, shell);
  const target = await targetNamed(to, options, shell);
  const folder = folderOf(source);
  const report =
    folder === undefined ? await copyToFolder(source, target) : await copyFolder(folder, target, shell);
  const verified = await verifyCopy(target, shell);
  const name = nameOfPlace(target);
  if (verified.faults > 0 || verified.records !== report.records) {
    const message = `The copy in ${name} is incomplete: ${verified.records} of ${report.records} records, ${verified.faults} faults. Remove it and copy again.`;
    throw new CommandFailure({ exit: EXIT.refused, code: 'journal_damaged', message });
  }
  if (options.json === true) {
    printJson({ from: nameOfPlace(source), to: name, ...report }, shell);
    return;
  }
  const read = `${count(report.records, 'record')}, up to seq ${report.seq}`;
  shell.print(
    `${shell.style.green('✓')} ${name} has everything from ${nameOfPlace(source)}: ${read}, every chain unbroken.`,
    '  Clients resume where they were.',
    '  The copy contains all real values, including those that are hidden on screen. Keep it as safe as the original.',
  );
}

async function copyFolder(folder: string, target: JournalPlace, shell: Shell): Promise<CopyReport> {
  const into = folderOf(target);
  if (into !== undefined) {
    const copied = await copyLocalJournal(folder, into);
    if (!copied.ok) throw journalFailure(copied.refusal, folder, shell);
    return copied.value;
  }
  const opened = await openLocalJournal(folder, { reading: true });
  // The copy would miss what a gateway writes in the meantime.
  if (!opened.ok) throw journalFailure(opened.refusal, folder, shell);
  const { value: journal } = opened;
  try {
    const source = { journal, removed: await readRemoved(folder) };
    return valueOf(await sharedBackend(target).copyInto(source, target));
  } finally {
    await journal.close();
  }
}

async function copyToFolder(source: JournalPlace, target: JournalPlace): Promise<CopyReport> {
  const folder = folderOf(target);
  if (folder === undefined)
    throw usageFailure(
      'One of the two must be a folder; to copy between two NATS clusters, go through a folder.',
      [],
    );
  return valueOf(await sharedBackend(source).copyToFolder(source, folder));
}

async function verifyCopy(
  target: JournalPlace,
  shell: Shell,
): Promise<{ readonly records: number; readonly faults: number }> {
  const folder = folderOf(target);
  if (folder === undefined) {
    const { records, faults } = valueOf(await sharedBackend(target).verify(target));
    return { records, faults: faults.length };
  }
  const verified = await verifyLocalJournal(folder);
  if (!verified.ok) throw journalFailure(verified.refusal, folder, shell);
  return { records: verified.value.records, faults: verified.value.faults.length };
}

/** A folder, an address on NATS, or a configuration that names either. */
async function placeNamed(text: string, shell: Shell): Promise<JournalPlace> {
  return await advised(shell, async () => {
    if (isAddress(text)) return parseAddress(text, shell);
    return isConfiguration(text)
      ? await journalPlace({ config: text }, shell)
      : folderPlace(await journalFolder({ data: text }, shell));
  });
}

async function targetNamed(text: string, { replicas }: CopyOptions, shell: Shell): Promise<JournalPlace> {
  return await advised(shell, async () => {
    if (isAddress(text)) return parseAddress(text, shell, replicas);
    return isConfiguration(text) ? await journalPlace({ config: text }, shell) : folderPlace(resolve(text));
  });
}

/** Other commands suggest options for a wrong place; this one does not have them. */
async function advised(shell: Shell, find: () => Promise<JournalPlace>): Promise<JournalPlace> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const next = [`${shell.name} copy FROM TO   # each a folder, nats://HOST:4222/STREAM or a configuration`];
    throw new CommandFailure({ ...error.failure, next }, error);
  }
}

function isConfiguration(text: string): boolean {
  return /\.ya?ml$/.test(text);
}

function valueOf<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  const { code, message, details } = result.refusal;
  throw new CommandFailure({ exit: EXIT.refused, code, message, details });
}
