import { existsSync } from 'node:fs';
import { CommandFailure, usageFailure } from '../command-failure.js';
import type { Shell } from '../terminal/shell.js';
import { CONFIG_FILE, configure, devFolder } from '../up/configure.js';

/**
 * Where the journal is when nobody says otherwise: where `proffer.yaml` keeps it if that file is here,
 * else where dev mode keeps it. The gateway's own variables count here too.
 *
 * @throws CommandFailure for a configuration that is wrong, or that keeps no journal in a folder: another
 * journal must not be read in its place
 */
export function defaultFolder(shell: Pick<Shell, 'env' | 'name'>): string {
  if (!existsSync(CONFIG_FILE)) return devFolder(shell.env);
  const { journal } = configureOrSay(shell);
  if (journal.backend === 'local') return journal.path;
  throw usageFailure(`${CONFIG_FILE} keeps the journal in no folder (backend ${journal.backend}).`, [
    '--data FOLDER   # a journal that is in one',
  ]);
}

function configureOrSay(shell: Pick<Shell, 'env' | 'name'>) {
  try {
    return configure({}, shell);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const next = ['--data FOLDER   # the journal, whatever the configuration says'];
    throw new CommandFailure({ ...error.failure, next }, error);
  }
}
