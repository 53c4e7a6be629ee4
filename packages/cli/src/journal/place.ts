import { existsSync } from 'node:fs';
import { defined } from '@proffer/core/json';
import { ADDRESSES, backendOf, type JournalPlace, sharedBackendOf } from '@proffer/journal';
import { usageFailure } from '../command-failure.js';
import type { DataOptions } from '../command-options.js';
import type { Shell } from '../terminal/shell.js';
import { CONFIG_FILE, configure } from '../up/configure.js';
import { journalFolder } from './folder.js';

export type { JournalPlace };

/** The name of a place in sentences and after `--data`. */
export function nameOfPlace(place: JournalPlace): string {
  return backendOf(place).nameOf(place);
}

/** A folder as a place. */
export function folderPlace(path: string): JournalPlace {
  return { backend: 'local', path };
}

/** The requested journal, in a folder or on servers. Reading must not create one. */
export async function journalPlace(
  options: Pick<DataOptions, 'data' | 'guard' | 'config'>,
  shell: Shell,
): Promise<JournalPlace> {
  const { data, guard, config } = options;
  if (data !== undefined && isAddress(data)) return parseAddress(data, shell);
  if (data === undefined && guard !== true && (config !== undefined || existsSync(CONFIG_FILE))) {
    const configured = sharedPlaceInConfig(config, shell);
    if (configured !== undefined) return configured;
  }
  return folderPlace(await journalFolder(options, shell));
}

/**
 * Where a configuration has a journal shared by gateways; `undefined` if it is in a folder, or invalid, which
 * is reported elsewhere.
 */
function sharedPlaceInConfig(config: string | undefined, shell: Shell): JournalPlace | undefined {
  try {
    const { journal } = configure(defined({ config }), shell);
    return sharedBackendOf(journal) === undefined ? undefined : journal;
  } catch {
    return undefined;
  }
}

/** True for the address of a journal on servers, false for a folder. */
export function isAddress(data: string): boolean {
  return ADDRESSES.some(({ pattern }) => pattern.test(data));
}

/**
 * Reads an address such as `nats://HOST:PORT[,…]/STREAM`. Servers that ask for a login need a configuration
 * instead.
 *
 * @param replicas - the number of copies of a journal created there. Default: 1
 */
export function parseAddress(data: string, { env }: Pick<Shell, 'env'>, replicas = 1): JournalPlace {
  const address = ADDRESSES.find(({ pattern }) => pattern.test(data));
  const place = address?.parse(data, { replicas, env });
  if (place !== undefined) return place;
  throw usageFailure(`${data} is not the address of a journal.`, [
    ...(address === undefined ? [] : [`--data ${address.example}   # a server, and the name of the stream`]),
    '--config FILE   # a configuration that says how to log in',
  ]);
}
