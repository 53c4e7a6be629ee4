import { resolve } from 'node:path';
import type { Result } from '@proffer/core';
import { openLocalJournal, readRemoved, verifyLocalJournal } from '@proffer/journal';
import type { CopyReport } from '@proffer/journal/nats';
import { CommandFailure, usageFailure } from '../../command-failure.js';
import { count } from '../../display/count.js';
import { EXIT } from '../../exit-code.js';
import { journalFailure } from '../../journal/damaged.js';
import { journalFolder } from '../../journal/folder.js';
import {
  isAddress,
  type JournalPlace,
  journalPlace,
  type NatsPlace,
  nameOfPlace,
  parseAddress,
} from '../../journal/place.js';
import { readJournal } from '../../journal/read-journal.js';
import { printJson } from '../../terminal/print-json.js';
import type { Shell } from '../../terminal/shell.js';

/** Options of `copy`, as they stand on the command line. */
export interface CopyOptions {
  readonly replicas: number;
  readonly json?: boolean;
}

/** Copies a journal from a folder to NATS or back, and verifies the copy. */
export async function copy(from: string, to: string, options: CopyOptions, shell: Shell): Promise<void> {
  const source = await placeNamed(from, shell);
  const target = await targetNamed(to, shell);
  const report =
    typeof source === 'string'
      ? await toNats(source, target, options, shell)
      : await fromNats(source, target);
  const verified = await verifyCopy(target, shell);
  const name = nameOfPlace(target);
  if (verified.faults > 0 || verified.records !== report.records) {
    const message = `The copy in ${name} is not whole: ${verified.records} of ${report.records} records, ${verified.faults} faults. Remove it and copy again.`;
    throw new CommandFailure({ exit: EXIT.refused, code: 'journal_damaged', message });
  }
  if (options.json === true) {
    printJson({ from: nameOfPlace(source), to: name, ...report }, shell);
    return;
  }
  const read = `${count(report.records, 'record')}, up to seq ${report.seq}`;
  shell.print(
    `${shell.style.green('✓')} ${name} has everything of ${nameOfPlace(source)}: ${read}, every chain unbroken.`,
    '  Clients resume where they were.',
  );
}

async function toNats(
  folder: string,
  target: JournalPlace,
  { replicas }: CopyOptions,
  shell: Shell,
): Promise<CopyReport> {
  if (typeof target === 'string') {
    throw usageFailure(
      'One of the two must be on NATS; copy a folder with cp -r while no gateway has it open.',
      [`${shell.name} copy FOLDER nats://HOST:4222/proffer`],
    );
  }
  const opened = await openLocalJournal(folder, { reading: true });
  // What a gateway writes meanwhile would be missing in the copy.
  if (!opened.ok) throw journalFailure(opened.refusal, folder, shell);
  const { value: journal } = opened;
  try {
    const { copyToNats } = await import('@proffer/journal/nats');
    const nats = { ...target.nats, replicas: target.nats.replicas ?? replicas };
    return valueOf(await copyToNats({ journal, removed: await readRemoved(folder) }, nats));
  } finally {
    await journal.close();
  }
}

async function fromNats({ nats }: NatsPlace, target: JournalPlace): Promise<CopyReport> {
  if (typeof target !== 'string')
    throw usageFailure(
      'One of the two must be a folder; to copy between two NATS clusters, go through a folder.',
      [],
    );
  const { copyFromNats } = await import('@proffer/journal/nats');
  return valueOf(await copyFromNats(nats, target));
}

async function verifyCopy(
  target: JournalPlace,
  shell: Shell,
): Promise<{ readonly records: number; readonly faults: number }> {
  if (typeof target !== 'string') {
    const { value } = await readJournal(target, (journal) => journal.verify());
    return { records: value.records, faults: value.faults.length };
  }
  const verified = await verifyLocalJournal(target);
  if (!verified.ok) throw journalFailure(verified.refusal, target, shell);
  return { records: verified.value.records, faults: verified.value.faults.length };
}

/** A folder, an address on NATS, or a configuration that names either. */
async function placeNamed(text: string, shell: Shell): Promise<JournalPlace> {
  if (isAddress(text)) return parseAddress(text);
  return isConfiguration(text)
    ? await journalPlace({ config: text }, shell)
    : await journalFolder({ data: text }, shell).catch((error: unknown) => {
        if (!(error instanceof CommandFailure)) throw error;
        // What other commands suggest here is an option that this one has not.
        const next = [
          `${shell.name} copy FROM TO   # each a folder, nats://HOST:4222/STREAM or a configuration`,
        ];
        throw new CommandFailure({ ...error.failure, next }, error);
      });
}

async function targetNamed(text: string, shell: Shell): Promise<JournalPlace> {
  if (isAddress(text)) {
    const { nats } = parseAddress(text);
    const { replicas: _replicas, ...rest } = nats;
    return { nats: rest };
  }
  return isConfiguration(text) ? await journalPlace({ config: text }, shell) : resolve(text);
}

function isConfiguration(text: string): boolean {
  return /\.ya?ml$/.test(text);
}

function valueOf<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  const { code, message, details } = result.refusal;
  throw new CommandFailure({ exit: EXIT.refused, code, message, details });
}
