/** How hooks get into the settings of agents, and out again. */

export { type HookCommandOptions, hookEntries } from './hook-command.js';
export {
  backupOf,
  dropBackup,
  makeChange,
  planChange,
  type SettingsChange,
  UneditableSettingsError,
} from './settings-change.js';
