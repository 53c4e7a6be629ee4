import { canonicalJson, type JsonObject, objectsIn, textOf, textsIn } from '@proffer/core/json';
import type { ObservedCall } from '@proffer/core/operations';
import { hideSecrets } from '@proffer/core/secrets';
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
export function answeringRules(
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
