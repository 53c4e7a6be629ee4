// Imported by hook commands, whose start-up time every call pays: it imports none of our modules.
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The default folder of the guards: `guard` in PROFFER_HOME, else in the user's data folder. */
export function guardsFolder(env: Readonly<Record<string, string | undefined>>): string {
  const home = env['PROFFER_HOME'];
  if (home !== undefined && home !== '') return join(home, 'guard');
  const data = env['XDG_DATA_HOME'];
  const base = data === undefined || data === '' ? join(homedir(), '.local', 'share') : data;
  return join(base, 'proffer', 'guard');
}
