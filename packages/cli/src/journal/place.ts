import { existsSync } from 'node:fs';
import type { NatsJournalOptions } from '@proffer/journal/nats';
import { usageFailure } from '../command-failure.js';
import type { Shell } from '../terminal/shell.js';
import { CONFIG_FILE, configure } from '../up/configure.js';
import { journalFolder } from './folder.js';
import type { DataOptions } from './folder-options.js';

/** A journal that several gateways share. */
export interface NatsPlace {
  readonly nats: NatsJournalOptions & { readonly stream: string };
}

/** Where a journal is: a folder, or a stream on NATS. */
export type JournalPlace = string | NatsPlace;

/** What a place is called in sentences. */
export function nameOfPlace(place: JournalPlace): string {
  if (typeof place === 'string') return place;
  const { servers, stream } = place.nats;
  return `${servers.join(',')}/${stream}`;
}

/** The journal that was asked for; reading must not make one. As {@link journalFolder}, also on NATS. */
export async function journalPlace(
  options: Pick<DataOptions, 'data' | 'guard' | 'config'>,
  shell: Shell,
): Promise<JournalPlace> {
  const { data, guard, config } = options;
  if (data !== undefined && isAddress(data)) return parseAddress(data);
  if (data === undefined && guard !== true && (config !== undefined || existsSync(CONFIG_FILE))) {
    const configured = placeInConfig(config, shell);
    if (configured !== undefined) return configured;
  }
  return await journalFolder(options, shell);
}

/** The stream that a configuration names; nothing if its journal is not on NATS, or if it is wrong, which others say. */
function placeInConfig(config: string | undefined, shell: Shell): NatsPlace | undefined {
  try {
    const { journal } = configure(config === undefined ? {} : { config }, shell);
    return journal.backend === 'nats' ? { nats: journal } : undefined;
  } catch {
    return undefined;
  }
}

export function isAddress(data: string): boolean {
  return /^(?:nats|tls):\/\//.test(data);
}

/** Reads `nats://HOST:PORT[,…]/STREAM`; who needs to log in names a configuration instead. */
export function parseAddress(data: string): NatsPlace {
  const found = /^((?:nats|tls):\/\/)([^\s/@]+)(?:\/([\w-]+))?\/?$/.exec(data);
  const [, scheme = '', hosts = '', stream = 'proffer'] = found ?? [];
  if (found === null) {
    throw usageFailure(`${data} is not the address of a journal.`, [
      '--data nats://HOST:4222/proffer   # a server, and the name of the stream',
      '--config FILE   # a configuration that says how to log in',
    ]);
  }
  const servers = hosts.split(',').map((host) => `${scheme}${host.replace(/^(?:nats|tls):\/\//, '')}`);
  // How many copies there are is the business of those who write.
  return { nats: { servers, stream, replicas: 1 } };
}
