import { canonicalJson, type JsonObject, objectsIn, textsIn } from '@proffer/core/json';
import type { ObservedCall } from '@proffer/core/operations';
import type { WrittenRule } from '../history/generalise.js';
import { parseRules } from '../rules/parse-rules.js';

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
export function answeringRules(calls: readonly ObservedCall[], min: number): readonly AnsweringRule[] {
  let left = calls
    .filter(({ would, isProtected, open = [] }) => would === 'ask' && isProtected !== true && open.length > 0)
    .flatMap((call) => objectsIn(call.open).map((match): Part => ({ call, match })));
  const found: AnsweringRule[] = [];
  for (const widen of [exactly, byBeginning, byFolder]) {
    for (const parts of groupBy(left, (part) => widen(part.match))) {
      const match = parts[0] === undefined ? undefined : widen(parts[0].match);
      const answered = new Set(parts.map(({ call }) => call));
      const rule = match === undefined ? undefined : ruleOf(match);
      if (rule === undefined || answered.size < min) continue;
      found.push({ rule, calls: answered });
      left = left.filter((part) => !parts.includes(part));
    }
  }
  return found.toSorted((one, other) => other.calls.size - one.calls.size);
}

/** The calls of which every part is answered. */
export function answeredBy(rules: readonly AnsweringRule[]): ReadonlySet<ObservedCall> {
  const times = new Map<ObservedCall, number>();
  for (const { calls } of rules) for (const call of calls) times.set(call, (times.get(call) ?? 0) + 1);
  const isWhole = ([call, count]: readonly [ObservedCall, number]): boolean =>
    count >= (call.open?.length ?? 1);
  return new Set([...times].filter(isWhole).map(([call]) => call));
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
  const what =
    command ??
    (path === undefined
      ? `${String(tool)}${host === undefined ? '' : ` ${String(host)}`}`
      : `${String(tool)} in ${String(path)}`);
  const rule = { name: `watched: ${String(server)} ${String(what)}`, action: 'allow', match } as const;
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
