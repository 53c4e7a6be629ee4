/// <reference types="node" preserve="true" />
export { AGENT_IDS, AGENTS, type AgentId, findAgent, type HookAgent, type HookCall } from './agents/index.js';
export { decideCall, type Grounds, type Protected } from './decide/index.js';
export {
  backupOf,
  dropBackup,
  type HookCommandOptions,
  hookEntries,
  makeChange,
  missingReports,
  planChange,
  type SettingsChange,
  UneditableSettingsError,
} from './install/index.js';
export type { WhenUnavailable } from './launch/index.js';
export {
  createHookToken,
  DEFAULT_HTTP_PORT,
  type HookPlace,
  type HookSettings,
  hookFolder,
  listedPermissions,
  type Resident,
  type ResidentOptions,
  readHookSettings,
  startResident,
  writeHookSettings,
} from './resident/index.js';
export { readShellLine } from './shell/index.js';
