export type { Problem, SourcePosition } from '@proffer/reading';
export * from './config.js';
export {
  devRole,
  EXECUTOR_CAPABILITIES,
  GUARD_CAPABILITIES,
  REVIEWER_CAPABILITIES,
  STEWARD_CAPABILITIES,
} from './dev-participants.js';
export { type ExampleTokens, exampleConfig, KEY_FILE, LOG_KEY_FILE } from './example-config.js';
export { DEFAULT_LIMITS, DEV_LIMITS } from './fields/limit-fields.js';
export { DEFAULT_PUSH, type QuietHours } from './fields/notify-fields.js';
export { devConfig, loadConfig } from './load-config.js';
export {
  asksForDevMode,
  type EnvironmentVariables,
  namesCredentials,
  VARIABLES,
  type Variable,
  variableAboutCredentials,
} from './macp/environment.js';
export { type ParseConfigOptions, type ParsedConfig, parseConfig } from './parse-config.js';
export { type Address, formatAddress, isLoopback } from './read/address.js';
export { formatProblems } from './read/problem.js';
export { formatDuration, parseDuration, type Rate } from './read/quantity.js';
export { restartNeeded } from './restart-needed.js';
export { differingKeys, sharedParts } from './shared-parts.js';
export { writtenKey } from './written-key.js';
