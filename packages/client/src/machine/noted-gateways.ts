import { join } from 'node:path';
import { isProcess, readNotes, writeNote } from './process-notes.js';

/** A gateway that a process on this machine runs, or asks in. */
export interface NotedGateway {
  readonly url: string;
  /** The spaces that the process knows. */
  readonly spaces: readonly string[];
  /** A folder with the credentials of guards that have a gateway of their own. */
  readonly folder?: string;
}

/**
 * Notes a gateway for as long as this process runs, so that whoever looks at the inbox learns of it. Holds no token.
 *
 * @param folder - the guards' folder, which every command of this user knows
 * @returns forgets it
 */
export function noteGateway(folder: string, gateway: NotedGateway): () => void {
  try {
    return writeNote(join(folder, 'gateways'), process.pid, { ...gateway, pid: process.pid });
  } catch {
    // A user without a home folder still runs a gateway; the inbox then has to be told where it is.
    return () => {};
  }
}

/** The gateways that running processes of this machine have noted. Whether one answers is not known. */
export function notedGateways(folder: string): readonly NotedGateway[] {
  return readNotes(
    join(folder, 'gateways'),
    ({ url, spaces, folder: own, pid }) => {
      if (typeof url !== 'string' || typeof pid !== 'number' || !isTexts(spaces)) return undefined;
      return { url, spaces, pid, ...(typeof own === 'string' ? { folder: own } : {}) };
    },
    ({ pid }) => isProcess(pid),
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
