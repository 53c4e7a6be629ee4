import { join } from 'node:path';
import { type JsonObject, objectOf, objectsIn } from '@proffer/core/json';
import { type AgentPlace, foldersUpwards } from '../agents/index.js';
import { type ListedPermission, type PermissionFile, settingsIn } from './listed-permission.js';
import {
  commandPrefix,
  hostPattern,
  listed,
  listedTexts,
  serverMatch,
  toolMatch,
  wholeCommand,
} from './matches.js';

const READING = ['view', 'grep', 'rg', 'glob'];
const WRITING = ['create', 'edit', 'str_replace_editor', 'apply_patch'];

/**
 * Copilot CLI: what its user allowed for a repository or a folder, in `permissions-config.json`, and the addresses in its
 * settings.
 */
export function copilotPermissions({ home, env, folder }: AgentPlace): readonly PermissionFile[] {
  const place = env['COPILOT_HOME'] ?? join(home, '.copilot');
  return [
    { path: join(place, 'permissions-config.json'), read: (text) => inLocations(text, folder) },
    { path: join(place, 'settings.json'), read: inSettings },
  ];
}

function inLocations(text: string, folder: string): readonly ListedPermission[] {
  const locations = objectOf(settingsIn(text)['locations']);
  return foldersUpwards(folder).flatMap((location) =>
    objectsIn(objectOf(locations[location])['tool_approvals']).flatMap(approved),
  );
}

function approved({
  kind,
  commandIdentifiers,
  serverName,
  toolName,
}: JsonObject): readonly ListedPermission[] {
  switch (kind) {
    case 'commands':
      return listedTexts('allow', commandIdentifiers, commandMatch);
    case 'read':
      return listed('allow', kind, toolMatch('copilot-cli', READING));
    case 'write':
      return listed('allow', kind, toolMatch('copilot-cli', WRITING, { path: './**' }));
    case 'mcp': {
      if (typeof serverName !== 'string' || (toolName !== null && typeof toolName !== 'string')) return [];
      return listed(
        'allow',
        `${serverName}: ${toolName ?? '*'}`,
        serverMatch(serverName, toolName ?? undefined),
      );
    }
    default:
      return [];
  }
}

/** `npm test` is that command alone, `npm:*` everything that begins with it. */
function commandMatch(entry: string): JsonObject | undefined {
  const command = entry.endsWith(':*') ? commandPrefix(entry.slice(0, -2)) : wholeCommand(entry);
  return command === undefined ? undefined : toolMatch('copilot-cli', 'bash', { command });
}

function inSettings(text: string): readonly ListedPermission[] {
  const { allowedUrls, deniedUrls } = settingsIn(text);
  return [
    ...listedTexts('deny', deniedUrls, addressMatch),
    ...listedTexts('allow', allowedUrls, addressMatch),
  ];
}

function addressMatch(entry: string): JsonObject | undefined {
  const host = hostPattern(entry);
  return host === undefined ? undefined : toolMatch('copilot-cli', 'web_fetch', { host });
}
