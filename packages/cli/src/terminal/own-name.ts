import { basename } from 'node:path';
import type { Environment } from './shell.js';

/**
 * How this program is called again from a terminal, which may be in another folder.
 *
 * @param file - the file that Node was told to run, with its whole path
 */
export function ownName(file: string, env: Environment): string {
  // Under `npm start` and `npx` the command itself is not on the path.
  if (env['npm_execpath'] !== undefined) return 'npx proffer';
  // Run by its file, it is probably not installed. What npm has installed is run by a link without the ending.
  if (basename(file) !== 'proffer.js') return 'proffer';
  return `node ${/^[\w./@+-]+$/.test(file) ? file : `'${file.replaceAll("'", String.raw`'\''`)}'`}`;
}
