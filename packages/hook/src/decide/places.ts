import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { PathNames } from '@proffer/steward';

/** What places are resolved with. */
export interface Surroundings {
  readonly home: string;
  /** The folder that the agent works in. */
  readonly folder: string;
  /** The folder that relative paths begin in, if not that one. */
  readonly from?: string;
  /** The target of a path when links are followed; the path itself if that is unknown. */
  readonly realPath: (path: string) => string;
}

/** The absolute path of what an agent or a shell calls a file. */
export function absolutePath(text: string, { home, folder, from = '.' }: Surroundings): string {
  const plain = text.replace(/^file:\/\/(?:localhost)?(?=\/)/, '');
  return resolve(folder, expanded(from, home), expanded(plain, home));
}

function expanded(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? `${home}${path.slice(1)}` : path;
}

/** All names that rules may call a file by: absolute, `~/…`, `./…`, and the same for where links lead. */
export function namesOf(text: string, surroundings: Surroundings): PathNames {
  const path = absolutePath(text, surroundings);
  const real = surroundings.realPath(path);
  const paths = real === path ? [path] : [path, real];
  const short = paths.flatMap((one) => below(surroundings.home, one, '~'));
  const local = paths.flatMap((one) => below(surroundings.folder, one, '.'));
  return [...paths, ...short, ...local].map((name) => name.split(sep).join('/'));
}

function below(folder: string, path: string, mark: string): readonly string[] {
  const rest = relative(folder, path);
  if (rest === '..' || rest.startsWith(`..${sep}`) || isAbsolute(rest)) return [];
  return [`${mark}/${rest}`];
}

/** Whether a path is in a folder, or is it. */
export function isWithin(folder: string, path: string): boolean {
  return below(fold(folder), fold(path), '').length > 0;
}

/** Some file systems do not tell upper and lower case apart. */
function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
