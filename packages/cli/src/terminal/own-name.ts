import { basename } from 'node:path';
import type { Environment } from './shell.js';
import { shellWord } from './shell-word.js';

/**
 * How to call this program from a terminal, which may be in another folder.
 *
 * @param file - the file that Node was told to run, with its whole path
 */
export function ownName(file: string, env: Environment): string {
  // Under `npm start` and `npx` the command itself is not on the path.
  if (env['npm_execpath'] !== undefined) return 'npx proffer';
  // Run by its file, it is probably not installed. What npm has installed is run by a link without the ending.
  if (basename(file) !== 'proffer.js') return 'proffer';
  return `node ${shellWord(file)}`;
}

/**
 * A sentence of the gateway, rewritten for the command line: the gateway knows neither the name of this program nor its
 * options.
 *
 * @param name - how the reader calls this program
 */
export function inOwnWords(sentence: string, name: string): string {
  return sentence
    .replaceAll(/`proffer (\w)/g, (_, first: string) => `\`${name} ${first}`)
    .replace(/ in `to`/, ' with `approve --to NAME`');
}
