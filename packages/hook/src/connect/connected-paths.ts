import { versionOf } from '../settings/index.js';
import { ledgerPath, readLedger, UnreadableLedgerError } from './ledger.js';

/**
 * The settings files that are connected now: an agent that edits them could take its guards out. The ledger is read again
 * when it has changed.
 *
 * @param folder - the guards' folder
 */
export function createConnectedPaths(folder: string): () => readonly string[] {
  const file = ledgerPath(folder);
  let version: string | undefined;
  let paths: readonly string[] = [];
  return () => {
    const now = versionOf(file);
    if (now !== version) {
      paths = pathsIn(folder);
      version = now;
    }
    return paths;
  };
}

function pathsIn(folder: string): readonly string[] {
  try {
    return readLedger(folder).files.map(({ path }) => path);
  } catch (error) {
    // `connect` and `status` report it; calls are decided all the same.
    if (error instanceof UnreadableLedgerError) return [];
    throw error;
  }
}
