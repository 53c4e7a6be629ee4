import { success } from '@proffer/core';
import type { JournalBackend } from '../backend.js';
import { checkNats } from './access/check.js';
import type { NatsAddress } from './access/connect.js';
import type { AcceptUnsigned, KeySource } from './authenticity/index.js';

/** A JetStream stream. */
export interface NatsPlace extends NatsAddress {
  readonly backend: 'nats';
  readonly stream: string;
  /** How many servers store each record before it is acknowledged. */
  readonly replicas: number;
  /** The keys that the gateways share. */
  readonly keys?: KeySource;
  /** Which records without a MAC count, in a stream that an older release created. Default: none. */
  readonly acceptUnsigned?: AcceptUnsigned;
}

// The client is loaded only by those who need it.
const load = () => import('./index.js');

/** A journal on a NATS cluster, which any number of gateways share. */
export const natsBackend: JournalBackend<NatsPlace> = {
  reach: 'shared',
  nameOf: ({ servers, stream }) => `${servers.join(',')}/${stream}`,
  async open(place) {
    const { openNatsJournal } = await load();
    const opened = await openNatsJournal(place);
    return opened.ok ? success({ journal: opened.value, warnings: warningsOf(place) }) : opened;
  },
  async openExisting(place) {
    const { openNatsJournal } = await load();
    // The writers determine the number of copies.
    return await openNatsJournal({ ...place, replicas: 1, create: false, name: 'proffer command line' });
  },
  async verify(place) {
    const { verifyNats } = await load();
    return await verifyNats(place);
  },
  address: {
    pattern: /^(?:nats|tls):\/\//,
    example: 'nats://HOST:4222/proffer',
    parse(text, { replicas, env }) {
      const found = /^((?:nats|tls):\/\/)([^\s/@]+)(?:\/([\w-]+))?\/?$/.exec(text);
      if (found === null) return undefined;
      const [, scheme = '', hosts = '', stream = 'proffer'] = found;
      const servers = hosts.split(',').map((host) => `${scheme}${host.replace(/^(?:nats|tls):\/\//, '')}`);
      const keys = keysIn(env);
      // Whoever types an address names the servers, and an address has no login.
      const place = { backend: 'nats', servers, stream, replicas, allowInsecure: true } as const;
      return keys === undefined ? place : { ...place, keys };
    },
  },
  async check(place, needs) {
    const { inspectNats, inspectRecent } = await load();
    const inspected = await inspectNats(place);
    const isThere = inspected.ok && inspected.value.stream !== undefined;
    const recent = isThere ? await inspectRecent(place) : undefined;
    const warnings = warningsOf(place);
    return checkNats({ inspected, recent, warnings, name: natsBackend.nameOf(place) }, needs);
  },
  async copyInto(source, place) {
    const { copyToNats } = await load();
    return await copyToNats(source, place);
  },
  async copyToFolder(place, folder) {
    const { copyFromNats } = await load();
    return await copyFromNats(place, folder);
  },
};

/** What an operator has allowed, and should not forget. */
function warningsOf({ acceptUnsigned, allowInsecure }: NatsPlace): readonly string[] {
  return [
    ...(acceptUnsigned === 'all'
      ? [
          'records without a MAC are accepted (journal.nats.accept_unsigned: all), so anyone who can write to NATS can forge them',
        ]
      : []),
    ...(allowInsecure === true
      ? ['NATS may be used without a login and without TLS (journal.nats.allow_insecure)']
      : []),
  ];
}

/** The keys, as a configuration would find them. */
function keysIn(env: Readonly<Record<string, string | undefined>>): KeySource | undefined {
  const { PROFFER_JOURNAL_NATS_KEYS: text = '', PROFFER_JOURNAL_NATS_KEY_FILE: file = '' } = env;
  if (text !== '') return { text };
  return file === '' ? undefined : { file };
}
