import { isJsonArray, isJsonObject, type JsonObject, objectOf } from '@proffer/core/json';
import { AGENTS, type AgentId, type HookAgent, type HookEntry } from '../agents/index.js';
import { editSettings, readSettings } from '../settings/index.js';
import type { ConnectedFile } from './ledger.js';
import { formatOf, PROGRAMS, type ServerKeys } from './programs.js';
import {
  type GuardWords,
  hasArguments,
  isGuarded,
  readServer,
  unwrapServer,
  wrapServer,
} from './server-command.js';

/** What is added to a settings file. */
export interface Additions {
  readonly hook?: { readonly agent: AgentId; readonly entries: readonly HookEntry[] };
  readonly servers: readonly { readonly keys: ServerKeys; readonly guard: GuardWords }[];
}

/** The text of a settings file with hook and guards; everything else in it stays. */
export function connectText(path: string, text: string, { hook, servers }: Additions): string {
  const format = formatOf(path);
  const before = readSettings(text, format);
  const hooked = hook === undefined ? before : AGENTS[hook.agent].addEntries(before, hook.entries);
  const wanted = servers.reduce(
    (settings, { keys, guard }) => changeAt(settings, keys, (server) => wrapServer(server, guard)),
    hooked,
  );
  return editSettings(text, format, wanted);
}

/**
 * The text of a settings file that was connected, and changed since, without hook and guards.
 *
 * @param original - the text before it was connected: guards that it already had stay
 */
export function disconnectText(
  { path, program: id, hookSince, servers }: ConnectedFile,
  text: string,
  original: string,
): string {
  const format = formatOf(path);
  const { agent, serversIn } = PROGRAMS[id];
  const now = readSettings(text, format);
  const before = readSettings(original, format);
  const unhooked =
    hookSince === undefined || agent === undefined ? now : withoutHook(AGENTS[agent], now, before);
  const wanted = serversIn(unhooked)
    .filter((keys) => !isGuardedAt(before, keys))
    .reduce((settings, keys) => {
      const known = servers.find((one) => isSame(one.keys, keys));
      return changeAt(settings, keys, (server) => unwrapServer(server, known?.hadArguments ?? true));
    }, unhooked);
  return editSettings(text, format, wanted);
}

/** Settings without our hook; events that had an empty list before have one again. */
function withoutHook({ removeEntries }: HookAgent, now: JsonObject, before: JsonObject): JsonObject {
  const { hooks: left, ...rest } = removeEntries(now);
  const present = objectOf(now['hooks']);
  const emptied = Object.entries(objectOf(before['hooks'])).filter(
    ([event, entries]) => isJsonArray(entries) && entries.length === 0 && event in present,
  );
  const hasHooks = left !== undefined || (isJsonObject(before['hooks']) && isJsonObject(now['hooks']));
  if (!hasHooks) return rest;
  return {
    ...rest,
    hooks: isJsonObject(left ?? {}) ? { ...Object.fromEntries(emptied), ...objectOf(left) } : left,
  };
}

/** Whether a server is behind a guard. */
export function isGuardedAt(settings: JsonObject, keys: ServerKeys): boolean {
  const kind = readServer(serverAt(settings, keys));
  return kind.type === 'command' && isGuarded(kind.words);
}

/** A server in settings. */
export function serverAt(settings: JsonObject, keys: ServerKeys): JsonObject {
  return keys.reduce<JsonObject>((inner, key) => objectOf(inner[key]), settings);
}

/** Whether a server in settings has a list of arguments. */
export function hasArgumentsAt(settings: JsonObject, keys: ServerKeys): boolean {
  return hasArguments(serverAt(settings, keys));
}

/** Whether two places in settings are the same. */
export function isSame(one: ServerKeys, other: ServerKeys): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at]);
}

function changeAt(
  settings: JsonObject,
  [key, ...rest]: ServerKeys,
  change: (server: JsonObject) => JsonObject,
): JsonObject {
  if (key === undefined) return change(settings);
  const inner = Object.hasOwn(settings, key) ? settings[key] : undefined;
  if (!isJsonObject(inner)) return settings;
  // In its place: the order of members is kept.
  const changed = changeAt(inner, rest, change);
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, name === key ? changed : value]),
  );
}
