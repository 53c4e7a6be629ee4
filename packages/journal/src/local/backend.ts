import { resolve } from 'node:path';
import { success } from '@proffer/core';
import type { JournalBackend } from '../backend.js';
import type { Durability } from '../journal.js';
import { openLocalJournal } from './open-local-journal.js';

/** A folder on this machine. */
export interface LocalPlace {
  readonly backend: 'local';
  readonly path: string;
  /** Default `power`. */
  readonly durability?: Durability;
}

/** A journal in a folder, which one process at a time may have open. */
export const localBackend: JournalBackend<LocalPlace> = {
  reach: 'machine',
  nameOf: ({ path }) => resolve(path),
  folderOf: ({ path }) => resolve(path),
  async open({ path, durability = 'power' }) {
    const opened = await openLocalJournal(path, { durability });
    return opened.ok ? success({ journal: opened.value, ...opened.value.recovery }) : opened;
  },
};
