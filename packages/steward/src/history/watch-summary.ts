import { canonicalJson, type JsonObject, objectsIn, textOf, textsIn } from '@proffer/core/json';
import { type ObservedCall, observedIn } from '@proffer/core/operations';
import { hideSecrets } from '@proffer/core/secrets';
import type { WatchCounts } from '@proffer/core/words';
import { parseRules } from '../rules/parse-rules.js';
import type { WrittenRule } from './generalise.js';
import type { HistoryEntry } from './past-proposals.js';
import { suggestRules } from './suggest.js';

/** A watched call, and who would have been asked about. */
interface WatchedCall {
  readonly participant: string;
  readonly call: ObservedCall;
}

/** The mark of a text that was cut short. */
const CUT = /… \(\d+ (?:characters|items)\)|"…"/;

/**
 * The rules that would have answered the calls of guards, of which only the arguments are known: those that would be suggested
 * if somebody had approved all of them. Pure.
 */
function rulesForGuards(watched: readonly WatchedCall[], min: number): readonly AnsweringRule[] {
  const known = watched.filter(
    ({ call: { would, isProtected, open, arguments: given } }) =>
      would === 'ask' &&
      isProtected !== true &&
      open === undefined &&
      !CUT.test(JSON.stringify(given ?? '"…"')),
  );
  const past = known.map(({ participant, call }, index) => {
    const { server, tool, at: time, arguments: given = {} } = call;
    const own = tool.startsWith(`${server}/`) ? tool.slice(server.length + 1) : tool;
    const decided = { decision: 'allow', by: participant, at: time, automatic: false } as const;
    return { id: String(index), call: { participant, server, tool: own, arguments: given, time }, decided };
  });
  const { suggestions } = suggestRules(past, { min });
  return suggestions.map(({ rule, evidence }) => ({
    rule: { ...rule, name: `watched: ${rule.name}` },
    calls: new Set(evidence.flatMap(({ id }) => known[Number(id)]?.call ?? [])),
  }));
}

/** What was watched in a history, and which rules would have saved questions. */
export interface WatchSummary extends WatchCounts {
  /** When the last call was watched, in milliseconds since 1970. */
  readonly until: number;
  /** The rules that answer most first. */
  readonly suggested: readonly AnsweringRule[];
}

/** How often something must have been watched before a rule is suggested for it. */
const MIN = 3;

/** The summary of a history; `undefined` if nothing was watched in it. Pure. Only own messages count. */
export function summarizeWatched(
  entries: Iterable<HistoryEntry>,
  { since = 0, min = MIN }: { readonly since?: number; readonly min?: number } = {},
): WatchSummary | undefined {
  const watched: WatchedCall[] = [];
  for (const { time, principal, envelope } of entries) {
    if (envelope.kind !== 'chat.message') continue;
    for (const call of observedIn(envelope.payload, time))
      if (call.at >= since) watched.push({ participant: principal, call });
  }
  const calls = watched.map(({ call }) => call);
  const [first] = calls;
  if (first === undefined) return undefined;
  const asked = calls.filter(({ would }) => would === 'ask');
  const byParts = answeringRules(asked, min);
  const byArguments = rulesForGuards(watched, min);
  const suggested = [...byParts.rules, ...byArguments].toSorted(
    (one, other) => other.calls.size - one.calls.size,
  );
  const answered = new Set([
    ...byParts.answered,
    ...byArguments.flatMap(({ calls: some }) => Array.from(some)),
  ]);
  const allowed = calls.filter(({ would }) => would === 'allow');
  const reads = allowed.filter((call) => call.reads === true).length;
  return {
    since: calls.reduce((least, { at }) => Math.min(least, at), first.at),
    until: calls.reduce((most, { at }) => Math.max(most, at), first.at),
    calls: calls.length,
    reads,
    allowed: allowed.length - reads,
    asked: asked.length,
    denied: calls.length - allowed.length - asked.length,
    rules: suggested.length,
    answered: answered.size,
    suggested,
  };
}

/** A rule that would have answered watched calls, and which. */
export interface AnsweringRule {
  readonly rule: WrittenRule;
  readonly calls: ReadonlySet<ObservedCall>;
}

/** A part of a call that some rule has to answer. */
interface Part {
  readonly call: ObservedCall;
  readonly match: JsonObject;
}

/** Words after a program that say what it does, and that nobody should allow by habit. */
const NEVER_OPEN =
  /^(?:push|publish|deploy|release|delete|remove|rm|uninstall|reset|clean|destroy|apply|prune|rebase|force|drop|exec|eval|login|logout|config|token|secret)s?$/;
/** A word that is neither an option nor a path nor a number. */
const PLAIN_WORD = /^[a-z][a-z0-9:_-]*$/i;

/**
 * The narrowest rules that answer what was watched often: the same command, commands that begin alike, files in one folder,
 * the same host, the same tool that reads. Pure. Calls that a protection covers, or that no rule can express, are left out.
 */
function answeringRules(
  calls: readonly ObservedCall[],
  min: number,
): { readonly rules: readonly AnsweringRule[]; readonly answered: readonly ObservedCall[] } {
  const parts = calls
    .filter(({ would, isProtected, open = [] }) => would === 'ask' && isProtected !== true && open.length > 0)
    .flatMap((call) => objectsIn(call.open).map((match): Part => ({ call, match })));
  let left: readonly Part[] = parts;
  const rules: AnsweringRule[] = [];
  for (const widen of [exactly, byBeginning, byFolder]) {
    for (const alike of groupBy(left, (part) => widen(part.match))) {
      const match = alike[0] === undefined ? undefined : widen(alike[0].match);
      const answered = new Set(alike.map(({ call }) => call));
      const rule = match === undefined ? undefined : ruleOf(match);
      if (rule === undefined || answered.size < min) continue;
      rules.push({ rule, calls: answered });
      left = left.filter((part) => !alike.includes(part));
    }
  }
  // A call is answered if every part of it is.
  const open = new Set(left.map(({ call }) => call));
  const answered = new Set(parts.map(({ call }) => call).filter((call) => !open.has(call)));
  return { rules, answered: [...answered] };
}

function exactly(match: JsonObject): JsonObject | undefined {
  return match['path'] === undefined ? match : undefined;
}

/** `git commit -m x`: everything that begins with `git commit`; `npm run build`: with all three. */
function byBeginning(match: JsonObject): JsonObject | undefined {
  const { command } = match;
  const [program = '', verb = '', name = ''] = typeof command === 'string' ? command.split(' ') : [];
  const beginning = verb === 'run' ? [program, verb, name] : [program, verb];
  const isClear = beginning.every((word) => PLAIN_WORD.test(word) && !NEVER_OPEN.test(word));
  return isClear ? { ...match, command: `${beginning.join(' ')} **` } : undefined;
}

/** All files of the folder that a file is in. */
function byFolder(match: JsonObject): JsonObject | undefined {
  const paths = typeof match['path'] === 'string' ? [match['path']] : textsIn(match['path']);
  const folders = new Set(paths.map((path) => /^(\/.+)\/[^/]+$/.exec(path)?.[1]));
  const [folder] = folders;
  return folders.size === 1 && folder !== undefined ? { ...match, path: `${folder}/**` } : undefined;
}

function ruleOf(match: JsonObject): WrittenRule | undefined {
  const { server, tool, command, path, host } = match;
  const [name, where] = [textOf(tool), [...textsIn([host]), ...textsIn(host), ...textsIn([path])].join(' ')];
  const what = typeof command === 'string' ? command : `${name} ${where}`.trimEnd();
  // A file of rules is no place for a secret.
  if (hideSecrets(match).hasSecrets) return undefined;
  const rule = { name: `watched: ${textOf(server)} ${what}`, action: 'allow', match } as const;
  return parseRules(JSON.stringify({ rules: [rule] }), 'watched').ok ? rule : undefined;
}

function groupBy(
  parts: readonly Part[],
  keyOf: (part: Part) => JsonObject | undefined,
): readonly (readonly Part[])[] {
  const groups = new Map<string, Part[]>();
  for (const part of parts) {
    const match = keyOf(part);
    if (match === undefined) continue;
    const key = canonicalJson(match);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [part]);
    else group.push(part);
  }
  return [...groups.values()];
}
