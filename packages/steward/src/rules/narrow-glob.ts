import { SECRET_PATHS } from './secret-paths.js';

/** The endings of files with secrets. */
const SECRET_ENDINGS: ReadonlySet<string> = new Set(SECRET_PATHS.map((path) => path.split('.').at(-1) ?? ''));

/**
 * Whether the glob of a search finds no hidden files and no secrets: programs search whatever a glob matches, also if it
 * is hidden or ignored. One that excludes, the name of a file, or all names with an ending that secrets do not have.
 */
export function isNarrowGlob(glob: string): boolean {
  if (/^!|^[A-Za-z0-9][\w.-]*$/.test(glob)) return true;
  const [, one, several] = /^(?:(?:\*\*|[\w-]+)\/)*\*(?:\.\w+)*\.(?:(\w+)|\{([\w,]+)\})$/.exec(glob) ?? [];
  const endings = one === undefined ? several?.split(',') : [one];
  return endings?.every((ending) => !SECRET_ENDINGS.has(ending.toLowerCase())) === true;
}
