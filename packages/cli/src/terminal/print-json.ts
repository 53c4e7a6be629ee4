import type { JsonValue } from '@proffer/core/json';
import { hideSecrets } from '@proffer/core/secrets';
import { printableJson } from '@proffer/core/text';
import type { Shell } from './shell.js';

/**
 * Prints a value as JSON on one line, with everything that a terminal would obey or hide escaped. Programs need the real
 * values; someone at a terminal is told that there are secrets among them.
 */
export function printJson(
  value: unknown,
  { print, tell, stdout, style }: Pick<Shell, 'print' | 'tell' | 'stdout' | 'style'>,
): void {
  print(printableJson(value));
  if (stdout.isTTY === true && hideSecrets(value as JsonValue).hasSecrets)
    tell(style.yellow('The JSON has values that look like secrets. Without --json they are hidden.'));
}
