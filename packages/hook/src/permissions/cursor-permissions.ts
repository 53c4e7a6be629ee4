import { join } from 'node:path';
import { type JsonObject, objectOf } from '@proffer/core/json';
import type { RuleAction } from '@proffer/steward';
import { type AgentPlace, fileUpwards } from '../agents/index.js';
import { type ListedPermission, onlyAgainst, type PermissionFile, settingsIn } from './listed-permission.js';
import { commandPrefix, hostPattern, listedTexts, pathsBelow, toolMatch } from './matches.js';

const READING = ['Read', 'Grep', 'Glob', 'LS'];
const WRITING = ['Write', 'StrReplace', 'EditNotebook'];

/**
 * Cursor: `terminalAllowlist` in `permissions.json`, and `permissions.allow` and `deny` in the configuration of its command
 * line. Those of a project only count against a call. Its events do not name the server of a tool, so lists of MCP tools
 * cannot be applied.
 */
export function cursorPermissions({ home, folder }: AgentPlace): readonly PermissionFile[] {
  return [
    { path: join(home, '.cursor/permissions.json'), read: inAllowlist },
    { path: join(home, '.cursor/cli-config.json'), read: inConfiguration },
    ...fileUpwards(folder, '.cursor/cli.json').map((path) => ({ path, read: onlyAgainst(inConfiguration) })),
  ];
}

function inAllowlist(text: string): readonly ListedPermission[] {
  return listedTexts('allow', settingsIn(text)['terminalAllowlist'], (entry) =>
    shellMatch(entry.includes(':') ? undefined : commandPrefix(entry)),
  );
}

function inConfiguration(text: string): readonly ListedPermission[] {
  const { allow, deny } = objectOf(settingsIn(text)['permissions']);
  return [...listedTexts('deny', deny, matchOf), ...listedTexts('allow', allow, matchOf)];
}

function matchOf(entry: string, action: RuleAction): JsonObject | undefined {
  const [, tool = '', given = ''] = /^(\w+)\((.+)\)$/s.exec(entry.trim()) ?? [];
  switch (tool) {
    case 'Shell': {
      const program = given.replace(/:\*$/, '');
      return /^[\w.-]+$/.test(program) ? shellMatch(commandPrefix(program)) : undefined;
    }
    case 'Read':
    case 'Write': {
      const path = given.startsWith('/') ? [given] : pathsBelow('.', given, action);
      const isPlain = path.length > 0 && path.every((one) => /^[\w@%+=:,./ ~*-]+$/.test(one));
      return isPlain
        ? toolMatch('cursor', tool === 'Read' ? READING : WRITING, { path: [...path] })
        : undefined;
    }
    case 'WebFetch': {
      const host = hostPattern(given);
      return host === undefined ? undefined : toolMatch('cursor', tool, { host });
    }
    default:
      return undefined;
  }
}

function shellMatch(command: string | undefined): JsonObject | undefined {
  return command === undefined ? undefined : toolMatch('cursor', 'Shell', { command });
}
