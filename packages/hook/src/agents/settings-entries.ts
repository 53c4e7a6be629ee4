import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listOf,
  objectOf,
} from '@proffer/core/json';
import type { HookEntry } from './hook-agent.js';

/** How our entries are recognised: by the launcher's name, or by the called path. */
const OURS = /proffer-hook|\/proffer\/hooks\//;

/** Whether a hook in an agent's settings is one of ours. */
function isOurs(hook: JsonValue | undefined): boolean {
  if (!isJsonObject(hook)) return false;
  return ['command', 'bash', 'url'].some((key) => {
    const value = hook[key];
    return typeof value === 'string' && OURS.test(value);
  });
}

/** The events for which settings of either form have one of our entries. */
export function ourEvents({ hooks }: JsonObject): readonly string[] {
  return Object.entries(objectOf(hooks)).flatMap(([event, entries]) => {
    const hasOurs = listOf(entries).some(
      (entry) => isOurs(entry) || listOf(objectOf(entry)['hooks']).some(isOurs),
    );
    return hasOurs ? [event] : [];
  });
}

/** Settings with `hooks: { EVENT: [{ hooks: […] }] }`, as Claude Code, Codex and Gemini CLI have them, with our entries. */
export function addGroups(
  settings: JsonObject,
  entries: readonly HookEntry[],
  hookOf: (entry: HookEntry) => JsonObject,
): JsonObject {
  const rest = removeGroups(settings);
  return { ...rest, hooks: withAdded(rest['hooks'], entries, (entry) => ({ hooks: [hookOf(entry)] })) };
}

/** The same settings without our entries; anything left empty is removed, too. */
export function removeGroups(settings: JsonObject): JsonObject {
  return withoutOurs(settings, (group) => {
    if (!isJsonObject(group) || !isJsonArray(group['hooks'])) return group;
    const kept = group['hooks'].filter((hook) => !isOurs(hook));
    if (kept.length === group['hooks'].length) return group;
    return kept.length === 0 ? undefined : { ...group, hooks: kept };
  });
}

/** Settings with `hooks: { EVENT: [HOOK, …] }`, as Cursor and Copilot CLI have them, with our entries. */
export function addFlat(
  settings: JsonObject,
  entries: readonly HookEntry[],
  hookOf: (entry: HookEntry) => JsonObject,
): JsonObject {
  const rest = removeFlat(settings);
  return { version: 1, ...rest, hooks: withAdded(rest['hooks'], entries, hookOf) };
}

/** The same settings without our entries. */
export function removeFlat(settings: JsonObject): JsonObject {
  return withoutOurs(settings, (entry) => (isOurs(entry) ? undefined : entry));
}

function withAdded(
  before: JsonValue | undefined,
  entries: readonly HookEntry[],
  hookOf: (entry: HookEntry) => JsonValue,
): JsonObject {
  const hooks = objectOf(before);
  const added = entries.map((entry) => {
    const others = hooks[entry.event];
    return [entry.event, [...listOf(others), hookOf(entry)]] as const;
  });
  return { ...hooks, ...Object.fromEntries(added) };
}

/** Maps the entries of each event; returning nothing removes the entry. */
function withoutOurs(settings: JsonObject, keep: (entry: JsonValue) => JsonValue | undefined): JsonObject {
  const { hooks, ...rest } = settings;
  if (!isJsonObject(hooks)) return settings;
  const events = Object.entries(hooks).flatMap(([event, entries]): readonly [string, JsonValue][] => {
    if (!isJsonArray(entries)) return entries === undefined ? [] : [[event, entries]];
    const kept = entries.flatMap((entry) => keep(entry) ?? []);
    return kept.length === 0 && entries.length > 0 ? [] : [[event, kept]];
  });
  return events.length === 0 && Object.keys(hooks).length > 0
    ? rest
    : { ...settings, hooks: Object.fromEntries(events) };
}
