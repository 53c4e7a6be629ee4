import { homedir } from 'node:os';
import type { Environment } from '../terminal/shell.js';

/** The home folder where agents look for their settings. */
export function homeOf({ HOME }: Environment): string {
  return HOME === undefined || HOME === '' ? homedir() : HOME;
}
