import { join, resolve } from 'node:path';
import {
  type FoundProgram,
  type Ledger,
  type Machine,
  readLedger,
  surveyMachine,
  UnreadableLedgerError,
} from '@proffer/hook/connect';
import { lockFile, makeFolder } from '@proffer/journal';
import { CommandFailure, EXIT } from '../../command-failure.js';
import { guardsFolder } from '../../connection/guards-folder.js';
import { homeOf } from '../../hook/home.js';
import type { Shell } from '../../terminal/shell.js';

/** What is on this machine, and what of it is connected. */
export interface Connections {
  /** The guards' folder. */
  readonly folder: string;
  readonly machine: Machine;
  readonly ledger: Ledger;
  readonly programs: readonly FoundProgram[];
}

/**
 * Looks around on this machine; changes nothing.
 *
 * @throws CommandFailure if what is known about earlier connections cannot be read
 */
export function openConnections(
  { data }: { readonly data?: string },
  { env }: Pick<Shell, 'env'>,
): Connections {
  const folder = resolve(data ?? guardsFolder(env));
  const machine = { home: homeOf(env), env, platform: process.platform };
  try {
    const ledger = readLedger(folder);
    return { folder, machine, ledger, programs: surveyMachine(machine, ledger) };
  } catch (error) {
    if (!(error instanceof UnreadableLedgerError)) throw error;
    const next = [`The files as they were before are next to it, in ${join(folder, 'connect')}.`];
    throw new CommandFailure(
      { exit: EXIT.refused, code: 'unreadable_ledger', message: error.message, next },
      error,
    );
  }
}

/** Keeps others from connecting or disconnecting at the same time. */
export async function whileAlone<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  makeFolder(join(folder, 'connect'));
  const lock = await lockFile(join(folder, 'connect', 'lock'));
  if (!('release' in lock))
    throw new CommandFailure({
      exit: EXIT.refused,
      code: 'busy',
      message: `Another proffer connect or disconnect is running${lock.pid === undefined ? '' : `, as process ${lock.pid}`}. Nothing was changed.`,
      next: ['Let it finish, or stop it, and try again.'],
    });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
