import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { defined } from '@proffer/core/json';
import { folderOf } from '@proffer/journal';
import { CommandFailure, EXIT, usageFailure } from '../command-failure.js';
import type { DataOptions } from '../command-options.js';
import { guardsFolder } from '../connection/guards-folder.js';
import type { Shell } from '../terminal/shell.js';
import { CONFIG_FILE, configure, devFolder } from '../up/configure.js';

/**
 * The requested folder. Reading must not create one, so there must be a journal in it, or in its `journal`
 * folder.
 */
export async function journalFolder(
  { data, guard, config }: Pick<DataOptions, 'data' | 'guard' | 'config'>,
  shell: Shell,
): Promise<string> {
  const folder = resolve(data ?? (guard === true ? guardsFolder(shell.env) : defaultFolder(config, shell)));
  // The guards' folder has its journal in a subfolder.
  for (const candidate of [folder, join(folder, 'journal')]) if (isJournal(candidate)) return candidate;
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  throw new CommandFailure({
    exit: EXIT.usage,
    code: 'no_journal',
    message: isFolder ? `There is no journal in ${folder}.` : `Folder ${folder} not found.`,
    next: [
      '--data FOLDER   # where the gateway keeps it',
      existsSync(CONFIG_FILE)
        ? `${shell.name} up   # creates the one named in ${CONFIG_FILE}; dev mode uses ${devFolder(shell.env)}`
        : `${shell.name} up --dev   # creates one in ${devFolder(shell.env)}`,
    ],
  });
}

/** Either file is enough: a journal that lost the other one is damaged, not missing. */
function isJournal(folder: string): boolean {
  return ['format.json', '00000000.progress'].some((name) => existsSync(join(folder, name)));
}

/**
 * The default folder of the journal: that of the configuration (`proffer.yaml` in this folder, if there is
 * one), else that of dev mode. The gateway's environment variables apply here too.
 *
 * @throws CommandFailure for a configuration that is invalid, or that has no journal in a folder: another
 * journal must not be read in its place
 */
function defaultFolder(config: string | undefined, shell: Pick<Shell, 'env' | 'name'>): string {
  if (config === undefined && !existsSync(CONFIG_FILE)) return devFolder(shell.env);
  const { journal } = configureOrFail(config, shell);
  const folder = folderOf(journal);
  if (folder !== undefined) return folder;
  throw usageFailure(
    `${config ?? CONFIG_FILE} does not keep its journal in a folder (backend ${journal.backend}).`,
    ['--data FOLDER   # a journal in a folder'],
  );
}

function configureOrFail(config: string | undefined, shell: Pick<Shell, 'env' | 'name'>) {
  try {
    return configure(defined({ config }), shell);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const next = ['--data FOLDER   # the journal, whatever the configuration says'];
    throw new CommandFailure({ ...error.failure, next }, error);
  }
}
