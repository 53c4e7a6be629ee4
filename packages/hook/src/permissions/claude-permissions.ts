import { dirname, join } from 'node:path';
import { type JsonObject, objectOf } from '@proffer/core/json';
import type { RuleAction } from '@proffer/steward';
import { type AgentPlace, fileUpwards } from '../agents/index.js';
import { type ListedPermission, onlyAgainst, type PermissionFile, settingsIn } from './listed-permission.js';
import { hostPattern, listedTexts, pathsBelow, serverMatch, starredCommand, toolMatch } from './matches.js';

const READING = ['Read', 'Grep', 'Glob', 'LS', 'NotebookRead'];
const EDITING = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'];

/**
 * Claude Code: `permissions.allow`, `ask` and `deny` in the settings of the user, of the project, of the user for the
 * project, and of the organisation. Those of a project only count against a call.
 */
export function claudePermissions({ home, env, folder }: AgentPlace): readonly PermissionFile[] {
  const own = join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'settings.json');
  const projects = ['.claude/settings.json', '.claude/settings.local.json']
    .flatMap((name) => fileUpwards(folder, name))
    .filter((path) => path !== own);
  const managed = ['/etc/claude-code', '/Library/Application Support/ClaudeCode'].map((place) =>
    join(place, 'managed-settings.json'),
  );
  return [
    ...[own, ...managed].map((path) => ({ path, read: (text: string) => entriesIn(text) })),
    ...projects.map((path) => ({
      path,
      read: onlyAgainst((text) => entriesIn(text, dirname(dirname(path)))),
    })),
  ];
}

/** @param root - what a path with a slash in front is in; absent where that is not certain */
function entriesIn(text: string, root?: string): readonly ListedPermission[] {
  const { allow, ask, deny } = objectOf(settingsIn(text)['permissions']);
  const match = (entry: string, action: RuleAction): JsonObject | undefined => matchOf(entry, action, root);
  return [
    ...listedTexts('deny', deny, match),
    ...listedTexts('ask', ask, match),
    ...listedTexts('allow', allow, match),
  ];
}

function matchOf(entry: string, action: RuleAction, root: string | undefined): JsonObject | undefined {
  const [, tool = '', given] = /^([A-Za-z_][\w-]*)(?:\((.*)\))?$/s.exec(entry.trim()) ?? [];
  if (entry.startsWith('mcp__')) return mcpMatch(entry.trim());
  if (tool === '') return undefined;
  const isWhole = given === undefined || given === '*' || given === ':*';
  if (tool === 'Bash') {
    if (isWhole) return toolMatch('claude-code', tool);
    const command = starredCommand(given.replace(/:\*$/, ' *'), action);
    return command === undefined ? undefined : toolMatch('claude-code', tool, { command });
  }
  if (tool === 'WebFetch' && !isWhole) {
    const host = hostPattern(given.replace(/^domain:/, ''));
    return given.startsWith('domain:') && host !== undefined
      ? toolMatch('claude-code', tool, { host })
      : undefined;
  }
  const isEditing = EDITING.includes(tool);
  if (isWhole && !isEditing) return toolMatch('claude-code', tool === 'Read' ? READING : tool);
  // Only the rules of these two are about paths: `Write(x)` is never looked at.
  if (!isWhole && tool !== 'Edit' && tool !== 'Read') return undefined;
  const path = isWhole ? ['./**'] : pathsOf(given, action, root);
  return path.length === 0
    ? undefined
    : toolMatch('claude-code', isEditing ? EDITING : READING, { path: [...path] });
}

/** `//` is the whole machine, `/` the project, `~/` the home folder, and everything else the working folder. */
function pathsOf(pattern: string, action: RuleAction, root: string | undefined): readonly string[] {
  if (pattern.startsWith('//')) return inFolder('', pattern.slice(2), action);
  if (pattern.startsWith('~/')) return inFolder('~', pattern.slice(2), action);
  if (pattern.startsWith('/')) return root === undefined ? [] : inFolder(root, pattern.slice(1), action);
  return pathsBelow('.', pattern, action);
}

/** A pattern that begins at a folder, and so is about no folder below it. */
function inFolder(folder: string, pattern: string, action: RuleAction): readonly string[] {
  return pathsBelow(folder, pattern, action).filter(
    (one) => !one.startsWith(`${folder}/**/`) || pattern.startsWith('**'),
  );
}

/** A server, its tools by a pattern, or one tool. */
function mcpMatch(entry: string): JsonObject | undefined {
  const [, server = '', tool] = /^mcp__([\w-]+?)(?:__([\w*-]+))?$/.exec(entry) ?? [];
  if (server === '' || tool?.includes('__') === true) return undefined;
  return serverMatch(server, tool === '*' ? undefined : tool);
}
