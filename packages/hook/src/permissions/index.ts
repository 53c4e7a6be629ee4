/** What agents may do without asking, by their own settings: one file each, and what rules make of it. */

import type { AgentId, AgentPlace } from '../agents/index.js';
import { claudePermissions } from './claude-permissions.js';
import { codexPermissions } from './codex-permissions.js';
import { copilotPermissions } from './copilot-permissions.js';
import { cursorPermissions } from './cursor-permissions.js';
import { geminiPermissions } from './gemini-permissions.js';
import type { PermissionFile } from './listed-permission.js';

export type { ListedPermission, PermissionFile } from './listed-permission.js';
export { type OwnRules, ownRulesOf } from './own-rules.js';

/** Where each agent has its lists. */
export const PERMISSION_FILES: Readonly<Record<AgentId, (place: AgentPlace) => readonly PermissionFile[]>> = {
  'claude-code': claudePermissions,
  codex: codexPermissions,
  'gemini-cli': geminiPermissions,
  cursor: cursorPermissions,
  'copilot-cli': copilotPermissions,
};
