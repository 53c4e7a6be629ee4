import { isJsonArray, isJsonObject, type JsonValue } from '@proffer/core/json';
import type { PathNames } from '@proffer/steward';
import { isWithin, placesOf, type Surroundings } from '@proffer/steward/disk';
import type { HookCall } from '../agents/index.js';
import { beginningOf, type ShellCommand } from '../shell/index.js';
import { hostOf } from './command-places.js';
import { type GuardedPlaces, guardedPlaces, hasGuardedId } from './guarded-places.js';
import type { Pieces } from './pieces.js';
import { runsProffer } from './runs-proffer.js';

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
const COMMAND = 'It runs proffer, which controls what the agent may do.';

/** Objections to a call before any rule is consulted. No rule that allows overrides them. */
export function objectionTo(
  call: HookCall,
  { facts, commands }: Pieces,
  { guarded, surroundings }: { readonly guarded: Protected; readonly surroundings: Surroundings },
): Objection {
  const places = guardedPlaces(guarded, surroundings);
  const { paths, maybe } = touchedBy(call, { facts, commands }, surroundings);
  const found = paths.map((path) => whatIsAt(path, places, surroundings));
  const touched = found.find((what) => what !== undefined && what !== 'unclear');
  if (touched !== undefined) return no(touched);
  if (commands.some(runsProffer)) return no(COMMAND);
  if (textsOf(call).some((text) => mentionsFolder(text, guarded, surroundings))) return no(FOLDER);
  if (textsOf(call).some((text) => mentionsPort(text, guarded.ports))) return no(PORT);
  const isNear = (path: string): boolean => whatIsAt(path, places, surroundings) !== undefined;
  if (found.includes('unclear') || maybe === 'too many' || maybe.some(isNear))
    return { action: 'ask', reason: MAYBE };
  return doubtAbout(paths, commands, { guarded: places, surroundings });
}

/** What is protected at a path; `unclear` if it may be another name of something protected. */
function whatIsAt(path: string, places: GuardedPlaces, { disk }: Surroundings): string | undefined {
  if (places.folders.some((folder) => isWithin(folder, path))) return FOLDER;
  if (isSettings(path, places)) return SETTINGS;
  const isSame = hasGuardedId(path, places, disk);
  return isSame === true ? SAME : isSame === 'unclear' ? isSame : undefined;
}

/** The absolute paths that a call touches, and those that it may touch. */
function touchedBy(
  call: HookCall,
  { facts, commands }: Pick<Pieces, 'facts' | 'commands'>,
  surroundings: Surroundings,
): { readonly paths: readonly string[]; readonly maybe: readonly string[] | 'too many' } {
  const located = (texts: readonly string[]): readonly string[] =>
    texts.flatMap((text) => absoluteNames(placesOf(text, surroundings).paths));
  if (call.effect.type !== 'other') {
    const isElsewhere = commands.length > 0 && surroundings.from !== undefined;
    const start = isElsewhere ? located(['.']) : [];
    return { paths: [...absoluteNames(facts.flatMap(({ paths = [] }) => paths)), ...start], maybe: [] };
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

function no(reason: string): Objection {
  return { action: 'deny', reason };
}

/** Anything that may lead there, such as a parent folder or a glob, is left to a person. */
function doubtAbout(
  paths: readonly string[],
  commands: readonly ShellCommand[],
  { guarded, surroundings }: { readonly guarded: Protected; readonly surroundings: Surroundings },
): Objection {
  if (commands.length === 0) return undefined;
  const open = commands.flatMap(({ words }) =>
    words.flatMap((word) =>
      word.value === null && beginningOf(word).includes('/') ? [beginningOf(word)] : [],
    ),
  );
  const beginnings = open
    .flatMap((beginning) => absoluteNames(placesOf(`${beginning}.`, surroundings).paths))
    .map((name) => name.replace(/\.$/, ''));
  const mayBe = (target: string): boolean => beginnings.some((beginning) => target.startsWith(beginning));
  const isAbove = guarded.folders.some(
    (folder) => paths.some((path) => isWithin(path, folder)) || mayBe(folder),
  );
  if (isAbove) return { action: 'ask', reason: "It may touch one of Proffer's own folders." };
  const isBeside =
    guarded.files.some((file) => paths.includes(parentOf(file)) || mayBe(file)) ||
    guarded.endings.some((ending) => paths.some((path) => path.endsWith(`/${parentOf(ending)}`)));
  return isBeside
    ? { action: 'ask', reason: "It may touch the settings of the agent's own hooks." }
    : undefined;
}

function isSettings(path: string, { files, endings }: Protected): boolean {
  const plain = `${path.toLowerCase()}/`;
  return (
    files.some((file) => isWithin(file, path)) || endings.some((ending) => plain.includes(`/${ending}/`))
  );
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 1));
}

/** The texts of a call that determine what it does; file content is only text. */
function textsOf({ effect, arguments: given }: HookCall): readonly string[] {
  if (effect.type === 'shell') return [effect.line];
  if (effect.type === 'web') return effect.urls;
  return effect.type === 'other' ? textsIn(given) : [];
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isJsonArray(value)) return value.flatMap((item) => textsIn(item));
  return isJsonObject(value) ? Object.values(value).flatMap((item) => textsIn(item)) : [];
}

function mentionsFolder(text: string, { folders }: Protected, { home }: Surroundings): boolean {
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

const LOOPBACK = /localhost|127\.\d|\b0x7f|\[?::1\]?|0\.0\.0\.0|\[::\]|\$|`/i;

function mentionsPort(text: string, ports: readonly number[]): boolean {
  const isPort = ports.some((port) => new RegExp(`(?<!\\d)${port}(?!\\d)`).test(text));
  return isPort && (LOOPBACK.test(text) || namesItsAddress(text));
}

/** Whether an address is this machine, in any notation: `0`, `2130706433`, `0177.1`. */
function namesItsAddress(text: string): boolean {
  const hosts = text.match(/[\w.]+(?=[:\s]+\d)/g) ?? [];
  return hosts.some((host) => /^(?:127\.|0\.0\.0\.0$)/.test(hostOf(`http://${host}`) ?? ''));
}
