import { servedLike } from '../proposals/unserved.js';
import type { Style } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';

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
