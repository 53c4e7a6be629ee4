import { dirname, join } from 'node:path';
import { hasTooManyParts, type PathLookup } from '@proffer/steward/disk';
import type { ShellCommand } from '../shell/index.js';

/**
 * Why nobody can tell which programs git runs here, if that is so. git takes a folder that looks like the inside of
 * `.git` for a repository, and runs what the settings in it name. A checkout, or an agent that may write files, can
 * bring such a folder; git lets nobody check in one called `.git`.
 */
export function strayRepository(
  { words: [program], folders }: ShellCommand,
  disk: PathLookup,
): string | undefined {
  const name = program?.value?.split('/').at(-1) ?? '';
  if (!/^git(?:-.+)?$/i.test(name)) return undefined;
  if (folders === undefined) return 'the folder that git runs in is only known at run time';
  if (folders.some(hasTooManyParts)) return 'the path of the folder that git runs in has too many parts';
  const found = folders.map((folder) => strayAbove(folder, disk)).find((folder) => folder !== undefined);
  return found === undefined
    ? undefined
    : `git would use the settings in ${found}, and run programs they name`;
}

/** The first folder with settings for git on the way up, unless one with `.git` comes before it. */
function strayAbove(folder: string, disk: PathLookup): string | undefined {
  for (let at = folder, below = ''; at !== below; below = at, at = dirname(at)) {
    const has = (name: string): boolean => disk.identityOf(join(at, name)) !== undefined;
    if (has('.git')) return undefined;
    if (has('HEAD') && (has('commondir') || (has('objects') && has('refs')))) return at;
  }
  return undefined;
}
