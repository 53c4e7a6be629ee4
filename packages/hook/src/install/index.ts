/** Adds hooks to the settings of agents, and removes them. */

export { type HookCommandOptions, hookEntries } from './hook-command.js';
export { missingReports } from './missing-reports.js';
export {
  backupOf,
  dropBackup,
  lineDiff,
  makeChange,
  planChange,
  type SettingsChange,
  UneditableSettingsError,
} from './settings-change.js';
