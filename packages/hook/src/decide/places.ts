import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { PathNames } from '@proffer/steward';

/** What places are resolved against. */
export interface Surroundings {
  readonly home: string;
  /** The agent's working folder. */
  readonly folder: string;
  /** The base folder of relative paths, if different. */
  readonly from?: string;
  /** The target of a path after following links; the path itself if unknown. */
  readonly realPath: (path: string) => string;
}

/** The absolute path of a file as named by an agent or a shell. */
export function absolutePath(text: string, { home, folder, from = '.' }: Surroundings): string {
  const plain = text.replace(/^file:\/\/(?:localhost)?(?=\/)/, '');
  return resolve(folder, expanded(from, home), expanded(plain, home));
}

function expanded(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? `${home}${path.slice(1)}` : path;
}

/** All names that rules may use for a file: absolute, `~/…`, `./…`, and the same for link targets. */
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

/** Whether a path is a folder or inside it. */
export function isWithin(folder: string, path: string): boolean {
  return below(fold(folder), fold(path), '').length > 0;
}

/** Some file systems ignore case. */
function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
