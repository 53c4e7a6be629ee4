/** The process that answers the hooks of all agents. */

export type { HookPlace } from './doors.js';
export {
  createHookToken,
  type HookSettings,
  hookFolder,
  readHookSettings,
  USUAL_HTTP_PORT,
  writeHookSettings,
} from './hook-settings.js';
export { HOOK_PATH } from './http-front.js';
export { type Resident, type ResidentOptions, startResident } from './resident.js';
