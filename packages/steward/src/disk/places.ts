import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { PathNames } from '../rules/effects/index.js';
import type { PathLookup } from './disk.js';
import { followPath } from './follow-path.js';

/** What places are resolved against. */
export interface PathContext {
  readonly home: string;
  /** The working folder: `./…` in rules. */
  readonly folder: string;
  /** The base folder of relative paths, if different. */
  readonly from?: string;
  readonly disk: PathLookup;
}

/** The places that paths lead through. */
export interface Places {
  /** A rule that allows wants all of them, one that denies any; empty names for an unknown one. */
  readonly paths: readonly PathNames[];
  /** Why it is not clear where a path leads, as clauses. */
  readonly unclear: readonly string[];
}

/** The absolute path of a file as named by an agent or a shell, going by its text alone. */
export function absolutePath(text: string, { home, folder, from = '.' }: PathContext): string {
  const plain = text.replace(/^file:\/\/(?:localhost)?(?=\/)/, '');
  return resolve(folder, expanded(from, home), expanded(plain, home));
}

function expanded(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? `${home}${path.slice(1)}` : path;
}

/** Every place that a path leads through: where its text says, each link on the way, and where it ends. */
export function placesOf(text: string, pathContext: PathContext): Places {
  const readings = readingsOf(text, pathContext);
  const followed = [...readings].map((path) => followPath(path, pathContext.disk));
  const names = new Set(followed.flatMap((one) => one.names));
  const unclear = followed.flatMap((one) => one.unclear ?? []);
  const isUnclear = unclear.length > 0 || /^~[^/]/.test(text);
  const paths = [...names].map((name) => notationsOf(name, pathContext));
  return { paths: isUnclear ? [...paths, []] : paths, unclear };
}

/** Joins the places of several paths. */
export function joinPlaces(all: readonly Places[]): Places {
  return { paths: all.flatMap(({ paths }) => paths), unclear: all.flatMap(({ unclear }) => unclear) };
}

/** What programs may make of a path. `..` is left in, since it depends on links. */
function readingsOf(text: string, { home, folder, from = '.' }: PathContext): ReadonlySet<string> {
  const bases = spellingsOf(from, home).map((base) => under(folder, base));
  const paths = spellingsOf(text, home).flatMap((one) => bases.map((base) => under(base, one)));
  return new Set(paths);
}

/** Whether programs may differ about a path: everything else is what it says. */
const SPECIAL = /^(?:[~@\s]|file:)|\s$|%|[^ -~]/i;

/**
 * The paths that a text may stand for. Some programs expand `~`, others have a folder of that name; Gemini CLI decodes
 * `%2e` and drops a leading `@`; Claude Code drops spaces at the ends and composes accents.
 */
function spellingsOf(text: string, home: string): readonly string[] {
  if (!SPECIAL.test(text)) return [text];
  const [, path = text] = /^file:(?:\/\/[^/]*)?(\/.*)$/is.exec(text) ?? [];
  const drop = [path, path.trim(), path.trim().replace(/^@[\\/]*(?=.)/, '')];
  const decode = drop.flatMap((one) => [one, decoded(one)]);
  const compose = decode.flatMap((one) => [one, one.normalize('NFC')]);
  return [...new Set(compose.flatMap((one) => [expanded(one, home), one]))];
}

function under(folder: string, path: string): string {
  return isAbsolute(path) ? path : `${folder}${sep}${path}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A place as rules may name it: absolute, `~/…`, `./…`. */
function notationsOf(name: string, { home, folder, disk }: PathContext): PathNames {
  const homes = followPath(home, disk).names;
  const notations = [
    name,
    ...homes.flatMap((one) => below(one, name, home)),
    ...homes.flatMap((one) => below(one, name, '~')),
    ...followPath(folder, disk).names.flatMap((one) => below(one, name, '.')),
  ];
  return [...new Set(notations.map((one) => one.split(sep).join('/')))];
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
