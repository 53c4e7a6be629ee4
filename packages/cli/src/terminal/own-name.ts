import { basename, delimiter, dirname, isAbsolute } from 'node:path';
import type { Environment } from './shell.js';
import { shellWord } from './shell-word.js';

/**
 * How to call this program from a terminal, which may be in another folder.
 *
 * @param file - the full path of the file that Node runs
 */
export function ownName(file: string, env: Environment): string {
  // Under `npm start` and `npx` the command is not on the PATH.
  if (env['npm_execpath'] !== undefined) return 'npx proffer';
  // Run by its file, it is probably not installed. npm's links have no extension.
  if (basename(file) === 'proffer.js') return `node ${shellWord(file)}`;
  const isLink = basename(file) === 'proffer' && isAbsolute(file);
  const { PATH = '' } = env;
  return isLink && !PATH.split(delimiter).includes(dirname(file)) ? shellWord(file) : 'proffer';
}

/**
 * A sentence of the gateway, rewritten for the command line: the gateway knows neither the name of this
 * program nor its options.
 *
 * @param name - the program's name as the user calls it
 */
export function inOwnWords(sentence: string, name: string): string {
  return (
    sentence
      .replace(/ in `to`/, ' with `approve --to NAME`')
      .replaceAll(/`proffer (\w)/g, (_, first: string) => `\`${name} ${first}`)
      // Words of ours. A shell line of somebody else keeps its signs.
      .replaceAll(/`([\w./:=*' -]+)`/g, '"$1"')
  );
}
