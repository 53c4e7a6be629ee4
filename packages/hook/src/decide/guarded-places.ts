import { dirname } from 'node:path';
import { followPath, type PathContext, type PathLookup } from '@proffer/steward/disk';
import type { Protected } from './protections.js';

/** What is protected, by every name that it has on this machine. */
export interface GuardedPlaces extends Protected {
  /** All of it that exists, as the file system tells files apart. */
  readonly ids: ReadonlySet<string>;
  /** Where files may be that have further names elsewhere. */
  readonly roots: readonly string[];
}

/**
 * Adds where links lead from what is protected, so that a file cannot be reached by its real name. The settings of
 * hooks are looked for where an agent that works here reads them: in its folder, above it, and in the home folder.
 */
export function guardedPlaces(guarded: Protected, { home, folder, disk }: PathContext): GuardedPlaces {
  const namesOf = (path: string): readonly string[] => followPath(path, disk).names;
  const places = new Set([home, ...namesOf(folder).flatMap(upwards)]);
  const settings = [...places].flatMap((place) =>
    guarded.endings
      .filter((ending) => disk.linkAt(`${place}/${ending.split('/')[0]}`) !== 'missing')
      .map((ending) => `${place}/${ending}`),
  );
  const roots = [...guarded.folders, ...guarded.files, ...settings];
  return {
    ...guarded,
    folders: guarded.folders.flatMap(namesOf),
    // Their own names are known by their endings.
    files: [...guarded.files.flatMap(namesOf), ...settings.flatMap((path) => namesOf(path).slice(1))],
    ids: new Set(roots.flatMap((path) => disk.identityOf(path)?.id ?? [])),
    roots,
  };
}

/** Whether a path leads to something protected by a name that cannot be read off it: a hard link, a mount. */
export function hasGuardedId(
  path: string,
  { ids, roots }: GuardedPlaces,
  disk: PathLookup,
): boolean | 'unclear' {
  if (upwards(path).some((one) => ids.has(disk.identityOf(one)?.id ?? ''))) return true;
  const file = disk.identityOf(path);
  if (file?.hasOtherNames !== true) return false;
  const inside = roots.map((root) => disk.idsIn(root));
  if (inside.some((found) => found !== 'unclear' && found.has(file.id))) return true;
  return inside.includes('unclear') ? 'unclear' : false;
}

/** A path and all folders above it. */
function upwards(path: string): readonly string[] {
  const found = [path];
  for (let above = dirname(path); above !== found.at(-1); above = dirname(above)) found.push(above);
  return found;
}
