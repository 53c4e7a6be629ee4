import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { nativeSha256 } from '../../native-hash.js';
import { type SealedAhead, type StoredRecord, sealAhead } from '../../stored-record.js';
import { type NatsServers, sample, startNatsServers, TEST_ACCESS } from '../../testing/index.js';
import type { NatsJournal } from '../nats-journal.js';
import type { NatsJournalOptions } from '../open-nats-journal.js';
import { opened } from './open.js';

/** The entity stream that is forged. */
export const STREAM = 'main/proposal/1';

/** Somebody whom the servers let in, and who has none of the gateways' keys. Each test has a journal of its own. */
export interface Forger {
  /** How to open the journal. */
  readonly options: () => NatsJournalOptions & { readonly stream: string };
  /** The subject of {@link STREAM}. */
  readonly subject: () => string;
  readonly manager: () => JetStreamManager;
  readonly connection: () => NatsConnection;
  /** Opens the journal, and closes it after the test. */
  readonly open: (more?: Partial<NatsJournalOptions>) => Promise<NatsJournal>;
  /** Writes like any client, and returns the sequence. */
  readonly write: (to: string, data: string | Uint8Array, written: MsgHdrs) => Promise<number>;
  /** Writes a record that follows another one in its stream, but has no code. */
  readonly forge: (after: StoredRecord | undefined, text?: string) => Promise<number>;
  readonly stored: (
    seq: number | undefined,
  ) => Promise<{ readonly data: Uint8Array; readonly header: MsgHdrs }>;
}

/** Starts a server for the tests of a file: call it at describe time. */
export function useForger(name: string): Forger {
  let servers: NatsServers | undefined;
  let connection: NatsConnection | undefined;
  let manager: JetStreamManager | undefined;
  let count = 0;
  const running = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new Error('The server is not running.');
    return value;
  };
  beforeAll(async () => {
    servers = await startNatsServers();
    connection = await connect({ servers: [...servers.urls] });
    manager = await jetstreamManager(connection);
  });
  beforeEach(() => void count++);
  afterAll(async () => {
    await connection?.close();
    await servers?.[Symbol.asyncDispose]();
  });

  const stream = (): string => `${name}-${count}`;
  const subject = (): string => `${stream()}.main.proposal.1`;
  const options = () => ({ ...TEST_ACCESS, servers: running(servers).urls, stream: stream(), replicas: 1 });
  async function write(to: string, data: string | Uint8Array, written: MsgHdrs): Promise<number> {
    const answer = await running(connection).request(to, data, { headers: written, timeout: 5_000 });
    return answer.json<{ readonly seq: number }>().seq;
  }
  return {
    options,
    subject,
    manager: () => running(manager),
    connection: () => running(connection),
    async open(more = {}) {
      const journal = await opened({ ...options(), ...more });
      onTestFinished(() => journal.close());
      return journal;
    },
    write,
    async forge(after, text = 'forged') {
      const from = { stream: STREAM, version: after?.version ?? 0, hash: after?.hash ?? '' };
      const sealed = sealAhead(sample(text), from, nativeSha256);
      return await write(subject(), sealed.text, unsigned(sealed));
    },
    async stored(seq = 0) {
      const found = await running(manager).streams.getMessage(stream(), { seq });
      if (found === null) throw new Error('There is no such message.');
      return found;
    },
  };
}

/** The headers of a record, as a gateway of an older release wrote them: without a code. */
export function unsigned({ hash, head, envelopeEnd }: SealedAhead): MsgHdrs {
  const written = headers();
  written.set('Proffer-Hash', hash);
  written.set('Proffer-Version', String(head.version));
  written.set('Proffer-Envelope-End', String(envelopeEnd));
  return written;
}

/** The headers of a message, without those for the server. */
export function copied(from: MsgHdrs): MsgHdrs {
  const written = headers();
  for (const [name, [value = '']] of from) if (name.startsWith('Proffer-')) written.set(name, value);
  return written;
}
