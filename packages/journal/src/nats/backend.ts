import { success } from '@proffer/core';
import type { JournalBackend } from '../backend.js';
import { checkNats } from './access/check.js';
import type { NatsAddress } from './access/connect.js';

/** A JetStream stream. */
export interface NatsPlace extends NatsAddress {
  readonly backend: 'nats';
  readonly stream: string;
  /** How many servers store each record before it is acknowledged. */
  readonly replicas: number;
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
    return opened.ok ? success({ journal: opened.value }) : opened;
  },
  async openExisting(place) {
    const { openNatsJournal } = await load();
    // The writers determine the number of copies.
    return await openNatsJournal({ ...place, replicas: 1, create: false, name: 'proffer command line' });
  },
  address: {
    pattern: /^(?:nats|tls):\/\//,
    example: 'nats://HOST:4222/proffer',
    parse(text, replicas) {
      const found = /^((?:nats|tls):\/\/)([^\s/@]+)(?:\/([\w-]+))?\/?$/.exec(text);
      if (found === null) return undefined;
      const [, scheme = '', hosts = '', stream = 'proffer'] = found;
      const servers = hosts.split(',').map((host) => `${scheme}${host.replace(/^(?:nats|tls):\/\//, '')}`);
      return { backend: 'nats', servers, stream, replicas };
    },
  },
  async check(place, needs) {
    const { inspectNats } = await load();
    return checkNats(await inspectNats(place), natsBackend.nameOf(place), needs);
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
