import { type JsonObject, type JsonValue, textsIn } from '@proffer/core/json';
import type { RuleAction } from '@proffer/steward';
import { type AgentId, isAgentId } from '../agents/index.js';
import type { ListedPermission } from './listed-permission.js';

/** Words that mean the same to every agent, to a shell and in a rule; with stars if these are patterns. */
const PLAIN_WORDS = /^[\w@%+=:,./~*-]+(?: [\w@%+=:,./~*-]+)*$/;

/** The conditions for a tool that the agent has itself. */
export function toolMatch(
  agent: AgentId,
  tool: string | readonly string[],
  more: JsonObject = {},
): JsonObject {
  return { server: agent, tool: typeof tool === 'string' ? tool : [...tool], ...more };
}

/**
 * The conditions for a tool of an MCP server; for all of them without a name. Not for a server that is named like an agent:
 * rules know the agent's own tools by that name.
 */
export function serverMatch(server: string, tool?: string): JsonObject | undefined {
  if (!/^[\w.-]+$/.test(server) || isAgentId(server)) return undefined;
  return tool === undefined ? { server } : { server, tool };
}

/** The pattern of a command that begins with these words; `undefined` if it is not certain what they mean. */
export function commandPrefix(text: string): string | undefined {
  return isPlain(text) ? `${text} **` : undefined;
}

/** The pattern of exactly this command. */
export function wholeCommand(text: string): string | undefined {
  return isPlain(text) ? text : undefined;
}

function isPlain(text: string): boolean {
  return PLAIN_WORDS.test(text) && !text.includes('*');
}

/**
 * The pattern of a command in which a star is any text, also more than one word: `git * main`, `npm run test*`. A program
 * that is not named is allowed by nobody's list.
 */
export function starredCommand(text: string, action: RuleAction): string | undefined {
  if (!PLAIN_WORDS.test(text)) return undefined;
  const words = text.replaceAll(/\*+/g, '*').split(' ');
  if (action === 'allow' && words[0]?.includes('*') === true) return undefined;
  const last = words.at(-1) ?? '';
  const isOpen = last !== '*' && last.endsWith('*');
  return [...words.map((word) => (word === '*' ? '**' : word)), ...(isOpen ? ['**'] : [])].join(' ');
}

/** A path pattern below a folder: `src/**`, `*.ts` in any folder. Only stars are understood. */
export function pathsBelow(folder: string, pattern: string, action: RuleAction): readonly string[] {
  if (!/^[\w@%+=:,./ ~*-]+$/.test(pattern) || /(?:^|\/)\.\.(?:\/|$)/.test(pattern)) return [];
  const plain = pattern.replace(/^\.\//, '').replace(/\/$/, '');
  const isAnywhere = !plain.includes('/') && !pattern.startsWith('./');
  const found = [`${folder}/${plain}`, ...(isAnywhere ? [`${folder}/**/${plain}`] : [])];
  // A folder stands for what is in it, too; that counts only against a call.
  return action === 'allow' ? found : [...found, ...found.map((one) => `${one}/**`)];
}

/** The host of an entry about the web: a name, or all names below one. */
export function hostPattern(text: string): string | undefined {
  return /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(text) ? text.toLowerCase() : undefined;
}

/** An entry, if it is understood. */
export function listed(
  action: RuleAction,
  text: string,
  match: JsonObject | undefined,
): readonly ListedPermission[] {
  return match === undefined ? [] : [{ action, text, match }];
}

/** The entries of a list of texts. */
export function listedTexts(
  action: RuleAction,
  list: JsonValue | undefined,
  matchOf: (entry: string, action: RuleAction) => JsonObject | undefined,
): readonly ListedPermission[] {
  return textsIn(list).flatMap((entry) => listed(action, entry, matchOf(entry, action)));
}
