/** Adds hooks to the settings of agents, and removes them. */

export { type HookCommandOptions, hookEntries, missingReports } from './hook-command.js';
export {
  backupOf,
  dropBackup,
  lineDiff,
  makeChange,
  planChange,
  type SettingsChange,
  UneditableSettingsError,
} from './settings-change.js';
