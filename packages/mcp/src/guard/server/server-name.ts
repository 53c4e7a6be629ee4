import { digestJson } from '@proffer/core';
import { defined, type JsonObject } from '@proffer/core/json';
import { objectAt, textAt } from '../../json-rpc.js';
import type { ServerSource } from '../trust/index.js';

const RUNNERS = new Set([
  'env',
  'sh',
  'bash',
  'npm',
  'pnpm',
  'yarn',
  'dlx',
  'pipx',
  'podman',
  'npx',
  'node',
  'tsx',
  'ts-node',
  'bunx',
  'bun',
  'deno',
  'uvx',
  'uv',
  'python',
  'python3',
  'docker',
  'cmd',
  'run',
  'exec',
  'x',
]);

/** Where a command is run, for commands that identify their server by a file. */
export interface CommandPlace {
  /** As an absolute path. */
  readonly folder: string;
  /** The package that a file belongs to, if there is one. */
  readonly packageOf: (file: string) => { readonly name: string; readonly version?: string } | undefined;
}

/**
 * A short name for a server, from the command that starts it: `npx -y @scope/server-files /home` is `files`. A script
 * with a name like `index.js` is named after its package, else after its folder. Never the name of an environment
 * variable, as in `docker run -e API_KEY image`. Lower-case letters, digits, `-` and `_`; `server` if nothing else is
 * left.
 */
export function serverNameFrom(command: readonly string[], place?: CommandPlace): string {
  const word = programIn(command.map(slashed));
  return plainName(place !== undefined && GENERIC_FILE.test(word) ? named(word, place) : word);
}

/**
 * Where a server comes from, by the command that starts it, without what it works on: `npx @scope/server-files`, or the
 * absolute path of a file.
 */
export function sourceOfCommand(command: readonly string[], place: CommandPlace): ServerSource {
  const words = command.map(slashed);
  const word = programIn(words);
  if (/^\.{0,2}\/|\.(?:[cm]?[jt]s|py)$/.test(word) || /^[A-Za-z]:\//.test(word)) {
    const file = absoluteFile(word, place);
    const found = place.packageOf(file);
    if (found === undefined) return { program: file };
    const { name, version } = found;
    return { program: file, package: name, ...defined({ version }) };
  }
  const runner = words.map(lastPart).find((one) => PACKAGE_RUNNERS.has(one) || CONTAINERS.has(one));
  const [, name = word, version] = /^(@?[^@=:]+)(?:@|==|:)([^/]+)$/.exec(word) ?? [];
  const program = runner === undefined ? name : `${runner} ${name}`;
  return { program, ...defined({ version }) };
}

function slashed(word: string): string {
  return word.replace(/\\/g, '/');
}

/** The word of a command that stands for the server; empty if there is none. */
function programIn(words: readonly string[]): string {
  return (
    packageIn(words) ??
    words.find(
      (candidate, index) =>
        !candidate.startsWith('-') &&
        candidate.toLowerCase() !== '/c' &&
        !RUNNERS.has(lastPart(candidate)) &&
        !ASSIGNMENT.test(candidate) &&
        !isValueOf(words[index - 1] ?? '', candidate, words),
    ) ??
    ''
  );
}

/** The package a runner takes a program from, as in `npx --package=PACKAGE PROGRAM`. */
function packageIn(words: readonly string[]): string | undefined {
  const runner = words.findIndex((word) => PACKAGE_RUNNERS.has(lastPart(word)));
  if (runner === -1) return undefined;
  for (const [index, word] of words.entries()) {
    if (index <= runner) continue;
    const [, written] = /^--(?:package|from)=(.+)$/.exec(word) ?? [];
    if (written !== undefined) return written;
    if (['-p', '--package', '--from'].includes(word)) return words[index + 1];
    // What follows the program belongs to the program.
    if (!word.startsWith('-') && !RUNNERS.has(word)) return undefined;
  }
  return undefined;
}

const PACKAGE_RUNNERS: ReadonlySet<string> = new Set([
  'npx',
  'npm',
  'pnpm',
  'yarn',
  'bunx',
  'uvx',
  'uv',
  'pipx',
]);

const CONTAINERS: ReadonlySet<string> = new Set(['docker', 'podman']);

/** A generic script name. */
const GENERIC_FILE = /(?:^|\/)(?:index|main|server|cli|app)\.(?:[cm]?[jt]s|py)$/;

function named(file: string, place: CommandPlace): string {
  const absolute = absoluteFile(file, place);
  return place.packageOf(absolute)?.name ?? absolute;
}

function absoluteFile(file: string, { folder }: CommandPlace): string {
  return /^(?:\/|[A-Za-z]:)/.test(file) ? file : `${slashed(folder)}/${file.replace(/^\.\//, '')}`;
}

/** Whether a word belongs to the option before it. */
function isValueOf(option: string, word: string, words: readonly string[]): boolean {
  if (TAKES_VARIABLE.has(option)) return VARIABLE.test(word);
  if (TAKES_FILE.has(option)) return true;
  return CONTAINER_OPTION.test(option) && words.some((one) => CONTAINERS.has(lastPart(one)));
}

/** Options of Node and similar runtimes, and of containers, that take a value. */
const TAKES_FILE: ReadonlySet<string> = new Set(['--import', '--require', '-r', '--loader', '--env-file']);
const CONTAINER_OPTION =
  /^(?:-[vpuwl]|--(?:volume|mount|publish|user|workdir|label|network|net|name|add-host|entrypoint|platform|memory|cpus))$/;

/** `NAME=VALUE`, before a command or after `-e`. */
const ASSIGNMENT = /^[A-Za-z_]\w*=/;
const VARIABLE = /^[A-Za-z_]\w*$/;
const TAKES_VARIABLE: ReadonlySet<string> = new Set(['-e', '--env']);

/** The name of a server at an address: its host. */
export function serverNameFromUrl(url: URL): string {
  return plainName(url.hostname);
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:exe|cmd)$/i, '');
}

function plainName(word: string): string {
  const base = pathName(word)
    .replace(/(.)@.*$/, '$1')
    .replace(/\.git$/, '')
    .replace(/\.[cm]?[jt]s$|\.py$|\.exe$|\.cmd$/i, '')
    .toLowerCase()
    .replace(/^(?:mcp[-_])?server[-_]|^mcp[-_]|[-_]mcp$|[-_]mcp[-_]server$|[-_]server$/g, '')
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return base === '' ? 'server' : base.slice(0, 60);
}

/** `index.js` says nothing; the folder above `dist` does. */
function pathName(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  while (
    parts.length > 1 &&
    /^(?:index|main|server|cli|app|dist|build|src|bin)(?:\.(?:[cm]?[jt]s|py))?$/.test(parts.at(-1) ?? '')
  )
    parts.pop();
  return parts.at(-1) ?? '';
}

/**
 * What distinguishes a server process from another of the same name: its command with all arguments, and its working
 * folder, since what it works on may depend on either. A digest, so that nothing of it can be read in an id.
 * Environment variables do not count: clients change some of them each time.
 *
 * @param folder - as an absolute path
 */
export function identityOfCommand(command: readonly string[], folder: string): string {
  return digestJson({ command, folder });
}

/** The identity of a server at an address: the address without name, password and fragment. Headers do not count. */
export function identityOfUrl(url: URL): string {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  plain.hash = '';
  return digestJson({ url: plain.href });
}

/** The maximum length of a server's name for itself, in characters. */
const LONGEST = 100;

/**
 * A server's name and version in its answer to `initialize` or `server/discover`; `undefined` for any other message.
 */
export function serverInfoIn(message: JsonObject): string | undefined {
  const info = objectAt(objectAt(message, 'result'), 'serverInfo');
  const name = textAt(info, 'title') || textAt(info, 'name');
  if (name === '') return undefined;
  return `${name} ${textAt(info, 'version')}`.trim().slice(0, LONGEST).toWellFormed();
}
