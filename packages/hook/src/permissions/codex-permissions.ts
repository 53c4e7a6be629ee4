import { join } from 'node:path';
import type { RuleAction } from '@proffer/steward';
import { type AgentPlace, fileUpwards } from '../agents/index.js';
import { type ListedPermission, onlyAgainst, type PermissionFile } from './listed-permission.js';
import { commandPrefix, listed, toolMatch } from './matches.js';

const ACTIONS: ReadonlyMap<string, RuleAction> = new Map([
  ['allow', 'allow'],
  ['prompt', 'ask'],
  ['forbidden', 'deny'],
]);
/** How many commands one entry may stand for. */
const MOST = 64;

/**
 * Codex CLI: `prefix_rule` in its `.rules` files. Those of a project only count against a call.
 */
export function codexPermissions({ home, env, folder }: AgentPlace): readonly PermissionFile[] {
  const own = join(env['CODEX_HOME'] ?? join(home, '.codex'), 'rules');
  const projects = fileUpwards(folder, '.codex/rules').filter((path) => path !== own);
  return [
    { path: own, ending: '.rules', read: entriesIn },
    ...projects.map((path) => ({ path, ending: '.rules', read: onlyAgainst(entriesIn) })),
  ];
}

function entriesIn(text: string): readonly ListedPermission[] {
  return (readCalls(text) ?? []).filter(({ name }) => name === 'prefix_rule').flatMap(entryOf);
}

function entryOf({ given }: StarlarkCall): readonly ListedPermission[] {
  const { pattern, decision = 'allow' } = given;
  const action = typeof decision === 'string' ? ACTIONS.get(decision) : undefined;
  if (action === undefined || pattern === undefined || typeof pattern === 'string') return [];
  const choices = pattern.map((word) => (typeof word === 'string' ? [word] : word));
  // A word with a space in it is one word to Codex, and would be two here.
  if (!choices.flat().every((word) => typeof word === 'string' && /^\S+$/.test(word))) return [];
  const commands = choices
    .reduce<readonly string[]>(
      (starts, words) =>
        starts.flatMap((start) => words.map((word) => `${start} ${String(word)}`)).slice(0, MOST + 1),
      [''],
    )
    .map((command) => commandPrefix(command.slice(1)));
  if (pattern.length === 0 || commands.length > MOST || commands.includes(undefined)) return [];
  const text = `prefix_rule(${JSON.stringify(pattern)})`;
  return listed(action, text, toolMatch('codex', 'Bash', { command: commands as string[] }));
}

/** A value in a call: a text, or a list. */
type Value = string | readonly Value[];

/** A call at the top of a file, with its arguments by name. */
interface StarlarkCall {
  readonly name: string;
  readonly given: Readonly<Record<string, Value>>;
}

/**
 * The calls in a Starlark file that has nothing else in it: names, texts without escapes, and lists of them. `undefined`
 * for a file that is a program.
 */
function readCalls(text: string): readonly StarlarkCall[] | undefined {
  const tokens = tokensOf(text);
  if (tokens === undefined) return undefined;
  let at = 0;
  const take = (wanted: string): boolean => tokens[at] === wanted && ++at > 0;
  const value = (): Value | undefined => {
    const token = tokens[at++] ?? '';
    if (/^["']/.test(token)) return token.slice(1, -1);
    if (token !== '[') return undefined;
    const items: Value[] = [];
    while (!take(']')) {
      const item = value();
      if (item === undefined) return undefined;
      items.push(item);
      if (!take(',') && tokens[at] !== ']') return undefined;
    }
    return items;
  };
  const calls: StarlarkCall[] = [];
  while (at < tokens.length) {
    const name = tokens[at++] ?? '';
    if (!/^[a-z_]/i.test(name) || !take('(')) return undefined;
    const given: Record<string, Value> = {};
    while (!take(')')) {
      const key = tokens[at++] ?? '';
      const found = take('=') ? value() : undefined;
      if (found === undefined) return undefined;
      given[key] = found;
      if (!take(',') && tokens[at] !== ')') return undefined;
    }
    calls.push({ name, given });
  }
  return calls;
}

const TOKEN = /\s+|#[^\n]*|"[^"\\\n]*"|'[^'\\\n]*'|[A-Za-z_]\w*|[()[\],=]/y;

function tokensOf(text: string): readonly string[] | undefined {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const [token] = TOKEN.exec(text) ?? [];
    if (token === undefined) return undefined;
    if (!/^[\s#]/.test(token)) tokens.push(token);
  }
  return tokens;
}
