import { SECRET_PATHS } from './secret-paths.js';

/** The endings of files with secrets that may be anywhere; the others are in hidden folders, which no glob opens. */
const SECRET_ENDINGS: ReadonlySet<string> = new Set(
  SECRET_PATHS.filter((path) => path.startsWith('**/')).map((path) => path.split('.').at(-1) ?? ''),
);

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
