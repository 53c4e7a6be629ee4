import type { Paused } from '@proffer/client';
import { servedLike } from '../proposals/unserved.js';
import type { Shell, Style } from '../terminal/shell.js';
import { visible, visibleLine } from '../terminal/visible.js';

const MAX_NAMED = 12;

/**
 * A note about a tool or prompt that nobody serves now: it cannot run yet, a similar name, and what is
 * served. Empty if someone serves it.
 */
export function noteUnserved(
  name: string,
  served: readonly string[],
  { space, style }: { readonly space: string; readonly style: Style },
): readonly string[] {
  if (served.includes(name)) return [];
  const known = [...new Set(served)].map(visible);
  const meant = servedLike(name, served);
  const more = known.length > MAX_NAMED ? ', …' : '';
  const there = known.length === 0 ? 'nothing' : `${known.slice(0, MAX_NAMED).join(', ')}${more}`;
  return [
    style.yellow(
      `  Note: nobody in ${visible(space)} serves ${visible(name)} right now, so it cannot run yet.`,
    ),
    ...(meant === undefined ? [] : [style.yellow(`  Did you mean ${visible(meant)}?`)]),
    style.dim(`  served now: ${there}`),
  ];
}

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
