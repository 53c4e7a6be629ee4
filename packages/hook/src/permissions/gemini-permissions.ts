import { join } from 'node:path';
import { type JsonObject, type JsonValue, objectOf, textOf, textsIn } from '@proffer/core/json';
import type { RuleAction } from '@proffer/steward';
import { type AgentPlace, fileUpwards } from '../agents/index.js';
import { type ListedPermission, type PermissionFile, settingsIn } from './listed-permission.js';
import { commandPrefix, listed, listedTexts, serverMatch, toolMatch } from './matches.js';

const SHELL = 'run_shell_command';
const ACTIONS: ReadonlyMap<string, RuleAction> = new Map([
  ['ask_user', 'ask'],
  ['deny', 'deny'],
]);

/**
 * Gemini CLI: `tools.exclude` in its settings, and the rules in its policy files. They only count against a call: Gemini CLI
 * may run in a mode that asks nothing (`yolo`), which its events do not tell, and in which an entry that is read too
 * widely here would run.
 */
export function geminiPermissions({ home, folder }: AgentPlace): readonly PermissionFile[] {
  const everywhere = (name: string): readonly string[] => [
    ...new Set([join(home, name), ...fileUpwards(folder, name)]),
  ];
  return [
    ...everywhere('.gemini/settings.json').map((path) => ({ path, read: inSettings })),
    ...everywhere('.gemini/policies').map((path) => ({ path, ending: '.toml', read: inPolicy })),
  ];
}

function inSettings(text: string): readonly ListedPermission[] {
  return listedTexts('deny', objectOf(settingsIn(text)['tools'])['exclude'], entryMatch);
}

function entryMatch(entry: string): JsonObject | undefined {
  const [, tool = '', prefix] = /^(\w+)(?:\((.*)\))?$/s.exec(entry.trim()) ?? [];
  return tool === '' ? undefined : ownMatch(tool === 'ShellTool' ? SHELL : tool, prefix);
}

function ownMatch(tool: string, prefix: string | undefined): JsonObject | undefined {
  // Of a server, whose name cannot be told from the tool's.
  if (tool.startsWith('mcp_') || (prefix !== undefined && tool !== SHELL)) return undefined;
  if (prefix === undefined) return toolMatch('gemini-cli', tool);
  const command = commandPrefix(prefix.trim());
  return command === undefined ? undefined : toolMatch('gemini-cli', tool, { command });
}

function inPolicy(text: string): readonly ListedPermission[] {
  const rules = objectOf(settingsIn(text, 'toml')['rule']);
  return Object.values(rules).flatMap((rule) => ruleEntries(objectOf(rule)));
}

const KNOWN = new Set(
  'toolName mcpName commandPrefix decision priority modes denyMessage allowRedirection name description'.split(
    ' ',
  ),
);

function ruleEntries(rule: JsonObject): readonly ListedPermission[] {
  const action = ACTIONS.get(textOf(rule['decision']));
  const modes = oneOrMore(rule['modes']);
  const isForAll = modes.length === 0 || modes.includes('default');
  // With a condition that is not looked at here, it is not certain what the rule is about.
  if (action === undefined || !isForAll || !Object.keys(rule).every((key) => KNOWN.has(key))) return [];
  const server = rule['mcpName'];
  const tools = oneOrMore(rule['toolName']);
  const prefixes = oneOrMore(rule['commandPrefix']);
  if (typeof server === 'string')
    return (tools.length === 0 ? ['*'] : tools).flatMap((tool) =>
      listed(action, `${server}: ${tool}`, serverMatch(server, tool === '*' ? undefined : tool)),
    );
  if (prefixes.length > 0)
    return prefixes.flatMap((prefix) => listed(action, `${SHELL}(${prefix})`, ownMatch(SHELL, prefix)));
  return tools
    .filter((tool) => /^\w+$/.test(tool))
    .flatMap((tool) => listed(action, tool, ownMatch(tool, undefined)));
}

function oneOrMore(value: JsonValue | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : textsIn(value);
}
