import { visible } from '../terminal/visible.js';

/** The maximum number of names shown for a session, which may have a thousand. */
const MOST = 5;

/** The first few names on one line, and how many more there are. */
export function someNames(names: readonly string[]): string {
  const told = names.slice(0, MOST).map(visible).join(', ');
  const more = names.length - MOST;
  return more > 0 ? `${told} and ${more} more` : told;
}
