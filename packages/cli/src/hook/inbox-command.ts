import { type Shell, shellWord } from '../terminal/shell.js';

/** Opens the inbox from another terminal, which may lack our environment variables. */
export function inboxCommand({ name, env }: Pick<Shell, 'name' | 'env'>): string {
  const home = env['PROFFER_HOME'] ?? '';
  return `${home === '' ? '' : `PROFFER_HOME=${shellWord(home)} `}${name} inbox --guard --open`;
}
