import { accessSync, constants, readFileSync } from 'node:fs';
import { defined } from '@proffer/core/json';
import type { EnvironmentVariables } from './macp/environment.js';
import { MACP_TOKENS_FILE } from './macp/macp-variables.js';
import { type ParseConfigOptions, type ParsedConfig, parseConfig } from './parse-config.js';

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
    env,
    isReadable,
    ...defined({ macpTokensFile }),
  });
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
