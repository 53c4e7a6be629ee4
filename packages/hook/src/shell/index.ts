/** Finds what a shell line runs, from its text alone. */

export { readShellLine } from './read-line.js';
export type { ShellCommand, ShellLine, ShellWord, ShellWorld } from './shell-line.js';
