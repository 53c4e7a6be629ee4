import { printableJson } from '@proffer/core/text';
import type { Shell } from './shell.js';

/** Prints a value as JSON on one line, with everything that a terminal would obey or hide escaped. */
export function printJson(value: unknown, { print }: Pick<Shell, 'print'>): void {
  print(printableJson(value));
}
