export type { Place, Problem } from '@proffer/reading';
export { type Address, formatAddress, isLoopback } from './address.js';
export * from './config.js';
export { devConfig } from './dev-config.js';
export {
  DEV_STRANGER,
  EXECUTOR_CAPABILITIES,
  PROPOSER_CAPABILITIES,
  REVIEWER_CAPABILITIES,
  STEWARD_CAPABILITIES,
} from './dev-participants.js';
export { type Environment, VARIABLES, type Variable } from './environment.js';
export { type ExampleTokens, exampleConfig } from './example-config.js';
export { DEFAULT_LIMITS, DEV_LIMITS } from './limit-fields.js';
export { loadConfig } from './load-config.js';
export { namesCredentials } from './macp-variables.js';
export { type ParseConfigOptions, type ParsedConfig, parseConfig } from './parse-config.js';
export { formatProblems } from './problem.js';
export { formatDuration, parseDuration, type Rate } from './quantity.js';
export type { QuietHours } from './quiet-hours.js';
