import type { Paused } from '@proffer/client';
import type { Shell } from '../terminal/shell.js';
import { visible, visibleLine } from '../terminal/visible.js';

/** Says that approvals in the space are paused, and how to resume. */
export function printPaused(
  { by, reason }: Paused,
  at: string,
  { style, name }: Pick<Shell, 'style' | 'name'>,
): readonly string[] {
  const why = reason === undefined ? '' : `: ${visibleLine(reason)}`;
  return [
    style.yellow(`! ${visible(by)} paused all approvals${why}`),
    style.dim(`  ${name} resume${visible(at)}   # to go on`),
  ];
}
