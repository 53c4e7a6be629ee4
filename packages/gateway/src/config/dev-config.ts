import type { GatewayConfig } from './config.js';
import { parseConfig } from './parse-config.js';
import { formatProblems } from './read/problem.js';

/**
 * The configuration of dev mode: HTTP and WebSocket on 127.0.0.1:7420, gRPC on 127.0.0.1:50051, the space
 * `main`, a local journal in `proffer-data` (the command line uses `proffer-dev-data`), and the token is the
 * participant's name. `agent` proposes, `reviewer` may do everything, `steward` decides by rules, `tools`
 * runs operations, any other name has the rights of `agent`. Same as a file with `dev: true`.
 */
export function devConfig(): GatewayConfig {
  const { config, problems } = parseConfig('dev: true', { file: 'dev mode' });
  if (config === undefined) throw new Error(formatProblems(problems));
  return config;
}
