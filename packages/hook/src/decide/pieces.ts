import { dirname, isAbsolute, join } from 'node:path';
import type { CallFacts, ToolAnnotations } from '@proffer/steward';
import {
  absolutePath,
  hasTooManyParts,
  joinPlaces,
  type PathContext,
  type PathLookup,
  type Places,
  placesOf,
} from '@proffer/steward/disk';
import { type CommandFacts, isNarrowGlob, type PathNames } from '@proffer/steward/guard';
import {
  type FileGlob,
  type HookCall,
  PATCH_PROGRAMS,
  patchInLine,
  type ToolEffect,
} from '../agents/index.js';
import { gitSpelling, onlyReads, readShellLine, type ShellCommand } from '../shell/index.js';
import { hostOf, hostsOf } from './command-hosts.js';
import { pathsOf } from './command-places.js';

/** A call, split into parts that rules judge one by one. */
export interface Pieces {
  readonly facts: readonly CallFacts[];
  /** The commands of a shell line, in the order of their facts; empty for other calls. */
  readonly commands: readonly ShellCommand[];
  /** Places of texts in each command that a program may take for paths; they count only against it. */
  readonly hints: readonly (readonly PathNames[])[];
  /** Whether it is no shell line, or one in the closed grammar that sets no variables. */
  readonly isUnderstood: boolean;
  /** Why it cannot be fully analysed; then a person decides. */
  readonly unknown: readonly string[];
}

/** Splits a call: a shell line into its commands, anything else into one piece. */
export function piecesOf(call: HookCall, pathContext: PathContext, time: number): Pieces {
  const { agent, tool, mcp, mayBe, arguments: given, effect } = call;
  const { paths, unclear } = filesOf(effect, pathContext);
  const hosts = effect.type === 'web' ? effect.urls.map(hostOf) : [];
  const facts: CallFacts = {
    participant: agent,
    client: agent,
    ...(mayBe === undefined ? { server: mcp?.server ?? agent } : {}),
    tool: mcp?.tool ?? tool,
    arguments: given,
    annotations: annotationsOf(effect),
    time,
    ...(effect.type === 'other' ? {} : { paths, hosts }),
    locate: (path) => placesOf(path, pathContext).paths,
  };
  if (effect.type !== 'shell')
    return { facts: [facts], commands: [], hints: [], isUnderstood: true, unknown: unclear };
  const { commands, unknown } = readShellLine(effect.line, {
    home: pathContext.home,
    folder: absolutePath('.', pathContext),
  });
  const isAdrift = effect.folder === null;
  const touched = commands.map((command) => pathsOf(command, pathContext, isAdrift));
  const each = commands.map(
    (command, index): CallFacts => ({
      ...facts,
      command: commandFacts(command),
      ...(onlyReads(command.words) ? { annotations: READS } : {}),
      paths: touched[index]?.paths ?? [],
      hosts: hostsOf(command),
    }),
  );
  // An unknown word is not a command that a rule could match; rules about the tool still apply.
  const isMore = unknown.length > 0 || each.length === 0;
  const rest = isMore ? [{ ...facts, command: { words: [] }, paths: [], hosts: [] }] : [];
  const patched = commands.filter(({ words: [program] }) => PATCH_PROGRAMS.has(program?.value ?? ''));
  const patches = patched.map(({ folders }) => patchedBy(effect.line, folders, pathContext));
  return {
    facts: [
      ...each,
      ...rest,
      ...patches.map((places) => ({ ...facts, tool: 'apply_patch', paths: places.paths })),
    ],
    commands,
    hints: touched.map(({ hints }) => hints),
    isUnderstood: unknown.length === 0 && commands.every(({ variables }) => variables.length === 0),
    unknown: [
      ...unknown,
      ...joinPlaces([...touched, ...patches]).unclear,
      ...commands.flatMap((command) => strayRepository(command, pathContext.disk) ?? []),
      ...(commands.some((command) => isLinked(command, pathContext)) ? [LINKED] : []),
    ],
  };
}

const LINKED = 'a redirection through a link';

/**
 * Whether a redirection leads through a link. A rule about `> FILE` goes by the text of the file alone. That the working
 * folder or the home folder is a link does not matter.
 */
function isLinked(
  { words: [program, target], folders = [] }: ShellCommand,
  pathContext: PathContext,
): boolean {
  const file = target?.value ?? '';
  if (!/^[<>]$/.test(program?.value ?? '') || file === '') return false;
  return folders.some((from) => {
    const { paths } = placesOf(file, { ...pathContext, from });
    const [given = [], ...others] = paths.map((names) => names.map(withoutPrivate));
    return others.some((names) => names.length > 0 && !names.some((name) => given.includes(name)));
  });
}

/** On macOS, the system's own links lead there. */
function withoutPrivate(name: string): string {
  return name.replace(/^\/private(?=\/(?:tmp|var|etc)(?:\/|$))/, '');
}

function commandFacts({ words, variables }: ShellCommand): CommandFacts {
  const values = words.map(({ value }) => value);
  const spelling = gitSpelling(values);
  return { words: values, variables, ...(spelling === undefined ? {} : { otherWords: [spelling] }) };
}

function filesOf(effect: ToolEffect, pathContext: PathContext): Places {
  if (effect.type !== 'files') return joinPlaces([]);
  const { paths, globs = [], isSearched = false, unclear } = effect;
  const found = joinPlaces([
    ...paths.map((path) => placesOf(path, pathContext)),
    ...globs.map((glob) => foundBy(glob, pathContext)),
  ]);
  const isThere = (path: string): boolean =>
    isAbsolute(path) || pathContext.disk.identityOf(absolutePath(path, pathContext)) !== undefined;
  const missing = isSearched && !paths.every(isThere) ? ['a file that the agent looks for elsewhere'] : [];
  return {
    paths: found.paths,
    unclear: [...(unclear === undefined ? [] : [unclear]), ...found.unclear, ...missing],
  };
}

/** The files that a glob finds in a folder. A plain one is a path; one that may find secrets is any path. */
function foundBy({ folder, pattern }: FileGlob, pathContext: PathContext): Places {
  if (/^[\w./~-]+$/.test(pattern))
    return placesOf(/^[/~]/.test(pattern) ? pattern : `${folder}/${pattern}`, pathContext);
  return { paths: isNarrowGlob(pattern) ? [] : [[]], unclear: [] };
}

/** What a patch in a shell line changes, from each folder that the line may be in. */
function patchedBy(line: string, folders: ShellCommand['folders'], pathContext: PathContext): Places {
  const { paths, unclear } = patchInLine(line);
  const places = paths.flatMap(
    (path) =>
      folders?.map((from) => placesOf(path, { ...pathContext, from })) ?? [{ paths: [[]], unclear: [] }],
  );
  return joinPlaces([...places, { paths: [], unclear: unclear === undefined ? [] : [unclear] }]);
}

const READS: ToolAnnotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };

function annotationsOf({ type, ...effect }: ToolEffect): ToolAnnotations {
  const isReading = type === 'inner' || ('isReading' in effect && effect.isReading);
  return isReading ? READS : { readOnlyHint: false, openWorldHint: type !== 'files' };
}

/**
 * Why nobody can tell which programs git runs here, if that is so. git takes a folder that looks like the inside of
 * `.git` for a repository, and runs what the settings in it name. A checkout, or an agent that may write files, can
 * bring such a folder; git lets nobody check in one called `.git`.
 */
function strayRepository({ words: [program], folders }: ShellCommand, disk: PathLookup): string | undefined {
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
