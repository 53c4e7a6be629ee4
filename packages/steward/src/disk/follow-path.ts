import { normalize, parse, sep } from 'node:path';
import { defined, quote } from '@proffer/core/json';
import type { PathLookup } from './disk.js';

/** Where a path leads. */
export interface FollowedPath {
  /**
   * Every name that it has on the way, absolute and without `..`: as given, with each link replaced by its target, and
   * finally the file itself, whether or not it exists. Each once, the given one first.
   */
  readonly names: readonly string[];
  /** Why there may be further names, as a clause. */
  readonly unclear?: string;
}

/** As many links as Linux follows. */
const MAX_LINKS = 40;
/** More parts than any system accepts in a path, with its links. */
const MAX_PARTS = 5_000;
const TOO_MANY_PARTS = 'a path with too many parts';

/** Links to what a process has open: they lead somewhere else in each process, and not by their text. */
const OF_PROCESS =
  /^\/proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?\/(?:cwd|root|exe|(?:fd|map_files)\/[^/]+)$|^\/dev\/fd\/[^/]+$/;
/** Not followed: what any process is started with, and links to the process that asks, which opens nothing. */
const NOT_FOLLOWED =
  /^\/dev\/(?:stdin|stdout|stderr|fd(?:\/[012])?)$|^\/proc\/(?:self|thread-self)(?:\/fd\/[012])?$/;

/**
 * Follows an absolute path in both ways in which programs read it: as the kernel does, where `..` is the parent folder
 * of what a link leads to, and with `..` taken out of the text first.
 */
export function followPath(path: string, disk: PathLookup): FollowedPath {
  if (path.includes('\0')) return { names: [], unclear: 'a path with a NUL character in it' };
  const plain = withoutEnd(normalize(path));
  if (hasTooManyParts(plain)) return { names: [], unclear: `${TOO_MANY_PARTS}, ${quote(plain)}` };
  const asText = walk(plain, disk);
  const asKernel = /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path) ? walk(path, disk) : asText;
  const unclear = asText.unclear ?? asKernel.unclear;
  return { names: [...new Set([plain, ...asText.names, ...asKernel.names])], ...defined({ unclear }) };
}

/** Whether no system accepts a path like this one. Then nothing is there, and nothing above it is worth looking at. */
export function hasTooManyParts(path: string): boolean {
  return path.length > MAX_PARTS && partsOf(path).length > MAX_PARTS;
}

function walk(path: string, disk: PathLookup): FollowedPath {
  const { root } = parse(path);
  const names: string[] = [];
  const unclear = (why: string): FollowedPath => ({ names, unclear: `${why}, ${quote(path)}` });
  const left = partsOf(path.slice(root.length)).reverse();
  let at = root;
  let links = 0;
  for (let count = 0; left.length > 0; count++) {
    if (count + left.length > MAX_PARTS) return unclear(TOO_MANY_PARTS);
    const part = left.pop() as string;
    if (part === '..') at = parse(at).dir;
    if (part === '' || part === '.' || part === '..') continue;
    const next = at === root ? `${root}${part}` : `${at}${sep}${part}`;
    const link = NOT_FOLLOWED.test(next) ? 'none' : OF_PROCESS.test(next) ? 'hidden' : disk.linkAt(next);
    if (link === 'hidden') return unclear('a path that cannot be followed');
    at = next;
    if (link === 'none' || link === 'missing') continue;
    links++;
    if (links > MAX_LINKS) return unclear('a path with too many links');
    const { root: anew } = parse(link.to);
    at = anew === '' ? parse(at).dir : anew;
    left.push(...partsOf(link.to.slice(anew.length)).reverse());
    names.push(withoutEnd(normalize([at, ...left.toReversed()].join(sep))));
  }
  return { names: [...names, at] };
}

function partsOf(path: string): string[] {
  return path.split(sep === '\\' ? /[\\/]/ : '/');
}

function withoutEnd(path: string): string {
  const { root } = parse(path);
  return path.length > root.length && path.endsWith(sep) ? path.slice(0, -1) : path;
}
