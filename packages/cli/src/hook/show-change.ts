import { hideInText } from '@proffer/core/secrets';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';

/** Shows a change to a settings file, without the secrets around it. */
export function showChange(
  { path, diff }: { readonly path: string; readonly diff: readonly string[] },
  { print, style }: Pick<Shell, 'print' | 'style'>,
): void {
  const paint = (line: string): string =>
    line.startsWith('+') ? style.green(line) : line.startsWith('-') ? style.red(line) : line;
  print(
    style.bold(visible(path)),
    ...diff.map((line) => paint(visible(hideInText(line.replaceAll('\t', '    '))))),
    '',
  );
}
