import { accessSync, constants, readFileSync } from 'node:fs';
import { defined } from '@proffer/core/json';
import type { GatewayConfig } from './config.js';
import { type EnvironmentVariables, MACP_TOKENS_FILE } from './macp/environment.js';
import { type ParseConfigOptions, type ParsedConfig, parseConfig } from './parse-config.js';
import { formatProblems } from './read/problem.js';

/**
 * Reads a configuration file, and the files that it and the environment name, then calls {@link parseConfig}.
 * Without a file, environment variables alone make the configuration. An unreadable file is a problem like
 * any other.
 */
export function loadConfig(
  file: string | undefined,
  env: EnvironmentVariables = process.env,
  options: Pick<ParseConfigOptions, 'channelTypes'> = {},
): ParsedConfig {
  const text = file === undefined ? '' : readText(file);
  if (file !== undefined && text === undefined) {
    const message =
      'The file cannot be read. Check the path and the permissions, or create one with `proffer init`.';
    return { problems: [{ source: file, line: 1, column: 1, path: '', message }] };
  }
  const tokensFile = env[MACP_TOKENS_FILE] ?? '';
  const macpTokensFile = tokensFile === '' ? undefined : readText(tokensFile);
  return parseConfig(text ?? '', {
    ...options,
    file: file ?? 'environment',
    hasFile: file !== undefined,
    env,
    isReadable,
    ...defined({ macpTokensFile }),
  });
}

/**
 * The configuration of dev mode: HTTP and WebSocket on 127.0.0.1:7420, gRPC on 127.0.0.1:50051, the space
 * `main`, a local journal in `proffer-data` (the command line uses `proffer-dev-data`), and the token is the
 * participant's name. `agent` proposes, `reviewer` may do everything, `steward` decides by rules, `tools`
 * runs operations, any other name has the rights of `agent` and may reject. Same as a file with `dev: true`.
 */
export function devConfig(): GatewayConfig {
  const { config, problems } = parseConfig('dev: true', { file: 'dev mode' });
  if (config === undefined) throw new Error(formatProblems(problems));
  return config;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
