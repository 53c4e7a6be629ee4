import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Where the packages of this repository are, and those that are packages themselves. */
const PLACES = ['packages', 'examples', 'bench'];

/**
 * Removes what earlier builds compiled from sources that have since been renamed or deleted: the compiler leaves it, and
 * it would be packed and published.
 *
 * @param {string} root - the repository
 * @returns {string[]} what was removed
 */
export function removeStaleOutputs(root) {
  const places = PLACES.map((place) => join(root, place)).filter((place) => existsSync(place));
  const inside = places.flatMap((place) => readdirSync(place).map((name) => join(place, name)));
  const stale = [...places, ...inside].filter((folder) => isCompiled(join(folder, 'dist'))).flatMap(staleIn);
  for (const file of stale) rmSync(file, { force: true });
  return stale;
}

/**
 * Whether the compiler fills a folder; bundles fill others.
 *
 * @param {string} dist
 */
function isCompiled(dist) {
  return existsSync(join(dist, '.tsbuildinfo'));
}

/**
 * @param {string} folder - of a package
 * @returns {string[]}
 */
function staleIn(folder) {
  /** @type {(inside: string) => string[]} */
  const look = (inside) =>
    readdirSync(join(folder, 'dist', inside), { withFileTypes: true }).flatMap((entry) => {
      const path = join(inside, entry.name);
      const output = join(folder, 'dist', path);
      // A folder with a mark of its own is a bundle, or compiled from elsewhere.
      if (entry.isDirectory())
        return existsSync(join(output, '.built')) || isCompiled(output) ? [] : look(path);
      const [, name] = /^(.*?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(path) ?? [];
      if (name === undefined) return [];
      const isMade = ['.ts', '.tsx'].some((ending) => existsSync(join(folder, 'src', `${name}${ending}`)));
      return isMade ? [] : [output];
    });
  return look('');
}
