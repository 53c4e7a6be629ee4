import { dirname } from 'node:path';
import { isJsonArray, isJsonObject, type JsonValue } from '@proffer/core/json';
import { followPath, isWithin, type PathContext, type PathLookup, placesOf } from '@proffer/steward/disk';
import type { PathNames } from '@proffer/steward/guard';
import type { HookCall } from '../agents/index.js';
import { beginningOf, type ShellCommand } from '../shell/index.js';
import { mentionsOpenPort, mentionsPort } from './local-address.js';
import type { Pieces } from './pieces.js';
import { isAbove, mayMean, namesProtected } from './shell-doubts.js';
import { withoutQuotes } from './unread-words.js';

/** What no agent may touch, whatever the rules say: it could use it to decide about its own calls. */
export interface Protected {
  /** Folders with tokens, the journal and settings of Proffer. */
  readonly folders: readonly string[];
  /** The rules, and files that agents read their hooks from. */
  readonly files: readonly string[];
  /** The path suffixes of further such files and folders, wherever they are. */
  readonly endings: readonly string[];
  /** Ports on this machine where decisions are made. */
  readonly ports: readonly number[];
}

/** The verdict of the protections: no, or that a person must look; `undefined` if they do not object. */
export type Objection = { readonly action: 'deny' | 'ask'; readonly reason: string } | undefined;

const FOLDER = "It touches one of Proffer's own folders, which control what the agent may do.";
const SETTINGS = "It touches the settings of the agent's own hooks, or the rules for them.";
const SAME = "It touches a protected file of Proffer or of the agent's hooks, by another name.";
const MAYBE = "It may touch Proffer's own files or the settings of the agent's hooks.";
const PORT = 'It talks to Proffer on this machine, which controls what the agent may do.';
const MAYBE_PORT = 'It may talk to Proffer on this machine.';
const COMMAND = 'It runs proffer, which controls what the agent may do.';
const MAYBE_COMMAND = 'It may run proffer.';
const UNREAD =
  'Proffer does not understand all of this command line, which may affect what controls the agent. Use plain commands instead.';

/** What is protected, and how it is found. */
interface Guard {
  readonly guarded: Protected;
  readonly pathContext: PathContext;
}

/** Objections to a call before any rule is consulted. No rule that allows overrides them. */
export function objectionTo(call: HookCall, pieces: Pieces, guard: Guard): Objection {
  const places = guardedPlaces(guard.guarded, guard.pathContext);
  const touched = touchedBy(call, pieces, guard.pathContext);
  const found = touched.paths.map((path) => whatIsAt(path, places, guard.pathContext));
  const certain = found.find((what) => what !== undefined && what !== 'unclear');
  if (certain !== undefined) return { action: 'deny', reason: certain };
  const texts = textsOf(call, pieces);
  if (pieces.commands.some(runsProffer)) return { action: 'deny', reason: COMMAND };
  if (texts.some((text) => mentionsFolder(text, guard.guarded, guard.pathContext)))
    return { action: 'deny', reason: FOLDER };
  const ports = new Set(texts.map((text) => mentionsPort(text, guard.guarded.ports)));
  if (ports.has('here')) return { action: 'deny', reason: PORT };

  const { paths, maybe } = touched;
  const isNear = (path: string): boolean => whatIsAt(path, places, guard.pathContext) !== undefined;
  const isMeant = maybe !== 'too many' && maybe.some(isNear);
  const doubts = [
    isMeant || mayMean(pieces.commands, places, guard.pathContext) ? MAYBE : undefined,
    ports.has('maybe here') || texts.some(mentionsOpenPort) ? MAYBE_PORT : undefined,
    pieces.commands.some(mayRunProffer) ? MAYBE_COMMAND : undefined,
  ].filter((doubt) => doubt !== undefined);
  if (call.effect.type === 'shell' && !pieces.isUnderstood) {
    const isNamed = doubts.length > 0 || namesProtected(call.effect.line, places, guard.pathContext);
    if (isNamed) return { action: 'deny', reason: UNREAD };
  }
  const isAround = pieces.commands.length > 0 && isAbove(paths, places);
  const isUnclear = found.includes('unclear') || maybe === 'too many';
  const [reason = isAround || isUnclear ? MAYBE : undefined] = doubts;
  return reason === undefined ? undefined : { action: 'ask', reason };
}

/** What is protected at a path; `unclear` if it may be another name of something protected. */
function whatIsAt(path: string, places: GuardedPlaces, { disk }: PathContext): string | undefined {
  if (places.folders.some((folder) => isWithin(folder, path))) return FOLDER;
  if (isSettings(path, places)) return SETTINGS;
  const isSame = hasGuardedId(path, places, disk);
  return isSame === true ? SAME : isSame === 'unclear' ? isSame : undefined;
}

/** The absolute paths that a call touches, and those that it may touch. */
function touchedBy(
  call: HookCall,
  { facts, commands, hints }: Pieces,
  pathContext: PathContext,
): { readonly paths: readonly string[]; readonly maybe: readonly string[] | 'too many' } {
  const located = (texts: readonly string[]): readonly string[] =>
    texts.flatMap((text) => absoluteNames(placesOf(text, pathContext).paths));
  if (call.effect.type !== 'other') {
    const isElsewhere = commands.length > 0 && pathContext.from !== undefined;
    const start = isElsewhere ? located(['.']) : [];
    return {
      paths: [...absoluteNames(facts.flatMap(({ paths = [] }) => paths)), ...start],
      maybe: absoluteNames(hints.flat()),
    };
  }
  // An unknown tool: which of its arguments are paths, and in which folder, is not known.
  const texts = textsIn(call.arguments).filter((text) => text.length <= LONGEST_PATH && !text.includes('\n'));
  if (texts.length > MAX_TEXTS) return { paths: [], maybe: 'too many' };
  return {
    paths: located(texts.filter((text) => ROOTED.test(text))),
    maybe: located(texts.filter((text) => !ROOTED.test(text))),
  };
}

function absoluteNames(places: readonly PathNames[]): readonly string[] {
  return places.flat().filter((path) => /^(?:\/|[A-Za-z]:)/.test(path));
}

const ROOTED = /^(?:\/|~\/|file:|[A-Za-z]:[\\/])/i;
/** In characters. */
const LONGEST_PATH = 4_096;
/** How many arguments are looked up. */
const MAX_TEXTS = 1_000;

function isSettings(path: string, { files, endings }: Protected): boolean {
  const plain = `${path.toLowerCase()}/`;
  return (
    files.some((file) => isWithin(file, path)) || endings.some((ending) => plain.includes(`/${ending}/`))
  );
}

/** The texts of a call that determine what it does; file content is only text. */
function textsOf({ effect, arguments: given }: HookCall, { commands }: Pieces): readonly string[] {
  if (effect.type === 'shell') return [effect.line, withoutQuotes(effect.line), ...commands.map(textOf)];
  if (effect.type === 'web') return effect.urls;
  return effect.type === 'other' ? textsIn(given) : [];
}

/** A command without its quotes, and with a dollar sign for what is only known at run time. */
function textOf({ words }: ShellCommand): string {
  return words.map(({ pieces }) => pieces.join('$')).join(' ');
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isJsonArray(value)) return value.flatMap((item) => textsIn(item));
  return isJsonObject(value) ? Object.values(value).flatMap((item) => textsIn(item)) : [];
}

function mentionsFolder(text: string, { folders }: Protected, { home }: PathContext): boolean {
  const plain = text.toLowerCase();
  return folders.some((folder) => {
    const name = folder.toLowerCase();
    const short = isWithin(home, folder) ? name.slice(home.length + 1) : name;
    return hasName(plain, short.includes('/') ? short : name);
  });
}

/** Whether a path occurs in a text, and not only as the prefix of another one. */
function hasName(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1))
    if (!/[\w.-]/.test(text.charAt(at + path.length))) return true;
  return false;
}

/** What is protected, by every name that it has on this machine. */
interface GuardedPlaces extends Protected {
  /** All of it that exists, as the file system tells files apart. */
  readonly ids: ReadonlySet<string>;
  /** Where files may be that have further names elsewhere. */
  readonly roots: readonly string[];
}

/**
 * Adds where links lead from what is protected, so that a file cannot be reached by its real name. The settings of
 * hooks are looked for where an agent that works here reads them: in its folder, above it, and in the home folder.
 */
function guardedPlaces(guarded: Protected, { home, folder, disk }: PathContext): GuardedPlaces {
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
function hasGuardedId(path: string, { ids, roots }: GuardedPlaces, disk: PathLookup): boolean | 'unclear' {
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

const OWN = /^(?:proffer|proffer-hook)(?:\.(?:[cm]?js|cmd|ps1|exe))?$/i;
/** The name as a word in a text, or the packages. */
const MENTION = /(?<![\w.-])proffer(?:-hook)?(?![\w.-])|@proffer\//i;
const RUNNERS = new Set('npx npm pnpm pnpx yarn bun bunx node deno tsx corepack'.split(' '));
/** Programs that run what their arguments say. */
const INTERPRETERS = new Set(
  'python perl ruby php lua awk gawk mawk osascript ssh docker podman make vim vi emacs sqlite3 tclsh'.split(
    ' ',
  ),
);

/** Whether a command runs Proffer's own command line, by name, as a package or as a file. */
function runsProffer({ words }: ShellCommand): boolean {
  const [program = '', ...args] = words.map(beginningOf);
  if (OWN.test(lastPart(program))) return true;
  if (!RUNNERS.has(nameOf(program))) return false;
  return args.some((arg) => MENTION.test(arg) || OWN.test(lastPart(arg)));
}

/** A command line of Proffer's inside an argument: `alias.x=!proffer approve p-1`, `--to-command=proffer approve p-1`. */
const COMMAND_LINE =
  /(?:^|[=!;&|("'`])\s*(?:[^\s=]*\/)?proffer(?:-hook)?\s+[a-z]|!\s*(?:\S*\/)?proffer(?![\w.])/i;
/** Commands that decide, or change who may. */
const DECIDING = new Set('approve fulfil grant delegate resume token rules disconnect connect'.split(' '));

/**
 * Whether a command may run it: an interpreter with the name in its text, or any program that is given a command line of it.
 * Many programs run others: git by an alias, tar for each file, tmux in a window.
 */
function mayRunProffer({ words }: ShellCommand): boolean {
  const [program = '', ...args] = words.map(beginningOf);
  if (INTERPRETERS.has(nameOf(program).replace(/[\d.]+$/, '')) && args.some((arg) => MENTION.test(arg)))
    return true;
  return args.some(
    (arg, place) =>
      COMMAND_LINE.test(arg) ||
      (OWN.test(lastPart(arg)) && DECIDING.has(args[place + 1]?.toLowerCase() ?? '')),
  );
}

function nameOf(program: string): string {
  return lastPart(program)
    .toLowerCase()
    .replace(/\.(?:cmd|exe)$/, '');
}

function lastPart(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? '';
}
