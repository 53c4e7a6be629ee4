import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { type Import, importsOf } from './imports.js';
import { isForTests, type Manifest, type SourceFile } from './repository.js';

/** What the rules need besides the file. */
export interface Layers {
  /** The packages that each package may use, by folder name. */
  readonly allowed: Readonly<Record<string, readonly string[]>>;
  /** The package.json of a folder, relative to the root; `''` is the root. */
  readonly manifestOf: (folder: string) => Manifest;
  /**
   * Folders, relative to the root, whose subfolders are rooms: code outside a room may import only its
   * `index.ts`, or that of a room inside it.
   */
  readonly housesOfRooms?: readonly string[];
  /** Folders, relative to the root, whose subfolders must not import each other. */
  readonly siblings?: readonly string[];
  /** Rooms, relative to the root, and the files in them that code outside may import. */
  readonly doors?: Readonly<Record<string, readonly string[]>>;
  /** Two names of rooms. In no package, and from none to another, may one import the other. */
  readonly apart?: readonly [string, string];
}

/** Loads two builds of core to compare them. */
const MEASURED = 'scripts/against/';
const SCOPE = '@proffer/';
/** Is published with what it uses inside, so its users do not install that. */
const BUNDLED = 'packages/cli';

/**
 * Problems with the imports of a file, one line each. Dependencies point towards core; packages are imported
 * through their exports and must be declared; core imports nothing. Tests may import other packages and the
 * repository's tools, except for core's own tests.
 */
export function layeringProblems(file: SourceFile, layers: Layers): readonly string[] {
  return importsOf(file).flatMap((one) => {
    const problem = problemOf(file.path, one, layers);
    return problem === undefined ? [] : [`${one.place}: ${problem}`];
  });
}

function problemOf(path: string, { specifier }: Import, layers: Layers): string | undefined {
  const home = homeOf(path);
  if (specifier === '')
    return path.startsWith(MEASURED) ? undefined : 'imports something that is only known when it runs';
  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(path), specifier);
    return target.startsWith(`${home}/`)
      ? (roomProblem(path, target, layers) ?? apartProblem(path, target, layers))
      : `${specifier} leaves ${home}; import the package by name`;
  }
  if (specifier.startsWith(SCOPE))
    return packageProblem(path, home, specifier, layers) ?? apartProblem(path, specifier, layers);
  if (home === 'packages/core' && !isForTests(path)) return `core imports nothing, not even ${specifier}`;
  if (isBuiltin(specifier)) {
    return specifier.startsWith('node:') ? undefined : `write node:${specifier} for ${specifier}`;
  }
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  return declares(home, name, isForTests(path), layers)
    ? undefined
    : `${home}/package.json does not name ${name}`;
}

/** Tests may import from inside any room. */
function roomProblem(path: string, target: string, layers: Layers): string | undefined {
  if (isForTests(path)) return undefined;
  const { housesOfRooms = [], siblings = [], doors = {} } = layers;
  for (const house of siblings) {
    const [from, to] = [roomIn(house, path), roomIn(house, target)];
    if (from !== undefined && to !== undefined && from !== to) return `${from} may not use ${to}`;
  }
  for (const house of housesOfRooms) {
    const room = roomIn(house, target);
    if (room === undefined || room === roomIn(house, path)) continue;
    if (!target.endsWith('/index.js')) return `${target} is inside a room; import ${room}/index.js`;
  }
  for (const [room, files] of Object.entries(doors)) {
    if (path.startsWith(`${room}/`) || !target.startsWith(`${room}/`)) continue;
    if (!files.some((file) => target === `${room}/${file}`))
      return `${target} is inside a room; its doors are ${files.join(', ')}`;
  }
  return undefined;
}

function apartProblem(path: string, target: string, { apart = ['', ''] }: Layers): string | undefined {
  if (isForTests(path)) return undefined;
  const [from, to] = [path, target].map((one) => apart.find((room) => one.split('/').includes(room)));
  return from === undefined || to === undefined || from === to ? undefined : `${from} may not use ${to}`;
}

/** The room that a file is in; `undefined` for files elsewhere or next to the rooms. */
function roomIn(house: string, path: string): string | undefined {
  if (!path.startsWith(`${house}/`)) return undefined;
  const [room, ...inside] = path.slice(house.length + 1).split('/');
  return inside.length === 0 ? undefined : `${house}/${room}`;
}

function packageProblem(path: string, home: string, specifier: string, layers: Layers): string | undefined {
  const [name = '', ...rest] = specifier.slice(SCOPE.length).split('/');
  const own = home.replace(/^packages\//, '');
  const isPackage = home.startsWith('packages/');
  const forTests = isForTests(path);
  if (name === own) return forTests ? undefined : `${specifier} is the package itself; use a relative path`;
  if (own === 'core') return `core imports nothing, not even ${specifier}`;
  if (isPackage && !forTests && !layers.allowed[own]?.includes(name)) {
    return `${own} may not use ${name} (conformance/layers.json says which it may)`;
  }
  const entry = ['.', ...rest].join('/');
  const { exports = {} } = layers.manifestOf(`packages/${name}`);
  if (!Object.hasOwn(exports, entry)) return `${SCOPE}${name} does not export ${entry}`;
  const declared = declares(home, `${SCOPE}${name}`, forTests, layers);
  return declared ? undefined : `${home}/package.json does not name ${SCOPE}${name}`;
}

function declares(home: string, name: string, forTests: boolean, { manifestOf }: Layers): boolean {
  const own = manifestOf(home);
  const forUse = { ...own.dependencies, ...own.peerDependencies };
  const bundled = home === BUNDLED ? own.devDependencies : {};
  const { dependencies, devDependencies } = manifestOf('');
  const all = { ...forUse, ...own.devDependencies, ...dependencies, ...devDependencies };
  return Object.hasOwn(forTests || !home.startsWith('packages/') ? all : { ...forUse, ...bundled }, name);
}

/** The folder that a file belongs to: a package, or a top-level folder such as `bench`. */
function homeOf(path: string): string {
  return path.split('/', path.startsWith('packages/') ? 2 : 1).join('/');
}
