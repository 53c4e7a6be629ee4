import { join } from 'node:path';
import { type JsonObject, type JsonValue, objectOf, textOf, textsIn } from '@proffer/core/json';
import type { RuleAction } from '@proffer/steward';
import { type AgentPlace, fileUpwards } from '../agents/index.js';
import type { ListedPermission, PermissionFile } from './listed-permission.js';
import { commandPrefix, listed, listedTexts, serverMatch, toolMatch } from './matches.js';
import { settingsIn } from './settings-in.js';

const SHELL = 'run_shell_command';
const WRITING: ReadonlySet<string> = new Set(['write_file', 'replace']);
const ACTIONS: ReadonlyMap<string, RuleAction> = new Map([
  ['allow', 'allow'],
  ['ask_user', 'ask'],
  ['deny', 'deny'],
]);

/**
 * Gemini CLI: `tools.allowed`, `tools.exclude` and trusted servers in its settings, and the rules in its policy files. What
 * the policies of a project allow counts only if its user trusts the folder, which is not known here.
 */
export function geminiPermissions({ home, folder }: AgentPlace): readonly PermissionFile[] {
  const settings = [join(home, '.gemini/settings.json'), ...fileUpwards(folder, '.gemini/settings.json')];
  const own = join(home, '.gemini/policies');
  const projects = fileUpwards(folder, '.gemini/policies').filter((path) => path !== own);
  return [
    ...[...new Set(settings)].map((path) => ({ path, read: inSettings })),
    { path: own, ending: '.toml', read: inPolicy },
    ...projects.map((path) => ({
      path,
      ending: '.toml',
      read: (text: string) => inPolicy(text).filter(({ action }) => action !== 'allow'),
    })),
  ];
}

function inSettings(text: string): readonly ListedPermission[] {
  const { tools, mcpServers } = settingsIn(text);
  const { allowed, exclude } = objectOf(tools);
  const trusted = Object.entries(objectOf(mcpServers)).filter(
    ([, server]) => objectOf(server)['trust'] === true,
  );
  return [
    ...listedTexts('deny', exclude, entryMatch),
    ...listedTexts('allow', allowed, entryMatch),
    ...trusted.flatMap(([name]) => listed('allow', `mcpServers.${name}.trust`, serverMatch(name))),
  ];
}

function entryMatch(entry: string): JsonObject | undefined {
  const [, tool = '', prefix] = /^(\w+)(?:\((.*)\))?$/s.exec(entry.trim()) ?? [];
  return tool === '' ? undefined : ownMatch(tool === 'ShellTool' ? SHELL : tool, prefix);
}

function ownMatch(tool: string, prefix: string | undefined): JsonObject | undefined {
  // Of a server, whose name cannot be told from the tool's.
  if (tool.startsWith('mcp_') || (prefix !== undefined && tool !== SHELL)) return undefined;
  if (prefix === undefined) return toolMatch('gemini-cli', tool, WRITING.has(tool) ? { path: './**' } : {});
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
