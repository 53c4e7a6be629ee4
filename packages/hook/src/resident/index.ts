/** The process that answers the hooks of all agents. */

export type { HookPlace } from './agent-connections.js';
export {
  createHookToken,
  DEFAULT_HTTP_PORT,
  type HookSettings,
  hookFolder,
  readHookSettings,
  writeHookSettings,
} from './hook-settings.js';
export { HOOK_PATH } from './http-server.js';
export { listedPermissions } from './own-lists.js';
export { type Resident, type ResidentOptions, startResident } from './resident.js';
