/** Finds what a shell line runs, from its text alone. */

export { gitSpelling } from './git-spellings.js';
export { readShellLine } from './read-line.js';
export { type CommandOptions, listedOperands, onlyReads } from './reading-commands.js';
export {
  beginningOf,
  type Gap,
  type ShellCommand,
  type ShellLine,
  type ShellWord,
  type ShellWorld,
} from './shell-line.js';
