import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalJournal, type LocalJournalOptions, openLocalJournal } from '@proffer/journal';

/** A folder on the real disk, removed by `await using`. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'proffer-gateway-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Opens a valid journal. */
export async function openJournal(path: string, options: LocalJournalOptions = {}): Promise<LocalJournal> {
  const opened = await openLocalJournal(path, options);
  if (!opened.ok) throw new Error(opened.refusal.message);
  return opened.value;
}
