import type { Shell } from '../terminal/shell.js';
import { shellWord } from '../terminal/shell-word.js';

/** Opens the inbox from another terminal, which may lack our environment variables. */
export function inboxCommand({ name, env }: Pick<Shell, 'name' | 'env'>): string {
  const home = env['PROFFER_HOME'] ?? '';
  return `${home === '' ? '' : `PROFFER_HOME=${shellWord(home)} `}${name} inbox --guard --open`;
}
