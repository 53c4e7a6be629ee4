import { setTimeout as delay } from 'node:timers/promises';
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { failure, type HashText, type Result, refuse, success } from '@proffer/core';
import { EVERY_SPACE } from '../journal.js';
import { JournalError } from '../journal-error.js';
import { DEFAULT_TAIL_LIMITS, type TailLimits } from '../live-tail.js';
import { nativeSha256 } from '../native-hash.js';
import { isOldServer, OLDEST_SERVER } from './access/check.js';
import { connectTo, type NatsAddress, refuseOpenServers, refuseUnencrypted } from './access/connect.js';
import { noAccess } from './access/no-access.js';
import { ensureStream } from './access/stream-settings.js';
import { createAuthentic, type Entry } from './authenticity/authentic-message.js';
import { isTransient } from './authenticity/foreign-messages.js';
import {
  type AcceptUnsigned,
  type Authenticity,
  createAuthenticity,
  createMacs,
  type KeySource,
  readKeyRing,
} from './authenticity/index.js';
import { createSubjects } from './messages/subjects.js';
import { NatsJournal } from './nats-journal.js';
import { checkedPast, createPast } from './read/history.js';
import { KnownHeads } from './read/known-heads.js';
import { lastOfEach } from './read/last-of-each.js';
import { findRecentVoids, recentFrom } from './verify/void-records.js';
import { lastMessage } from './write/batch.js';

export interface NatsJournalOptions extends NatsAddress {
  /** The name of the JetStream stream, also the prefix of its subjects. Default `proffer`. */
  readonly stream?: string;
  /** How many servers store each record before it is acknowledged. Default 3. */
  readonly replicas?: number;
  /** The keys that the gateways on the journal share. Without them, nothing can be told from a forgery. */
  readonly keys?: KeySource;
  /** Which records without a MAC count, in a stream that an older release created. Default: none. */
  readonly acceptUnsigned?: AcceptUnsigned;
  /** Whether to create the stream if there is none. Default true. */
  readonly create?: boolean;
  /** The connection's name in the server's reports. Default `proffer`. */
  readonly name?: string;
  /** A group commit takes at most this many bytes of waiting appends, or one append. Default 256 KiB. */
  readonly batchBytes?: number;
  /** How long appends wait for a server that is being replaced before they are refused. Default 3 s. */
  readonly patience?: number;
  /** How much each followed space keeps in memory for its feeds. */
  readonly tail?: TailLimits;
  /** SHA-256; default the host's own. */
  readonly hash?: HashText;
}

/** How long a server may take to answer a request, in milliseconds. */
const ANSWER = 2_500;

/** How long servers that have just started may take to answer, in milliseconds. */
const START = 30_000;

/** Retries while the servers are electing a leader. */
async function withRetry<Value>(question: () => Promise<Value>): Promise<Value> {
  const end = performance.now() + START;
  for (;;) {
    try {
      return await question();
    } catch (error) {
      if (!isTransient(error) || performance.now() > end) throw error;
      await delay(200);
    }
  }
}

/** A connection to servers that can store a journal, and what its records are signed with. */
export interface OpenConnection {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  /** @param journal - the id of the journal */
  readonly authenticityOf: (journal: string) => Authenticity;
}

/**
 * Connects. Refuses servers that cannot be used (`journal_unreachable`), are too old (`unsafe_stream`), or that others
 * can use too (`insecure_nats`); and keys that cannot be used (`unusable_keys`).
 */
export async function openConnection(options: NatsJournalOptions): Promise<Result<OpenConnection>> {
  const unencrypted = refuseUnencrypted(options);
  if (unencrypted !== undefined) return failure(unencrypted);
  const keys = await readKeyRing(options.keys);
  if (!keys.ok) return keys;
  const macs = createMacs(keys.value);
  const { gap } = createSubjects(options.stream ?? 'proffer');
  const authenticityOf = (journal: string): Authenticity => {
    // In a stream that was created with MACs, there is nothing from before.
    const acceptUnsigned = journal === '' ? (options.acceptUnsigned ?? 'none') : 'none';
    return createAuthenticity({ macs, journal, acceptUnsigned, gap });
  };
  let connection: NatsConnection | undefined;
  try {
    const open = await connectTo(options, options.name ?? 'proffer');
    connection = open;
    const version = open.info?.version ?? '0';
    if (isOldServer(version)) {
      await open.close();
      const message = `The NATS server at ${open.getServer()} has version ${version}; a journal needs ${OLDEST_SERVER} or newer (atomic batches).`;
      return failure(refuse('unsafe_stream', message, { found: version, oldest: OLDEST_SERVER }));
    }
    const unprotected = await refuseOpenServers(options);
    if (unprotected !== undefined) {
      await open.close();
      return failure(unprotected);
    }
    const manager = await withRetry(() => jetstreamManager(open, { timeout: ANSWER }));
    return success({ connection: open, manager, authenticityOf });
  } catch (error) {
    await connection?.close();
    return failure(await noAccess(options, error));
  }
}

/**
 * Opens the journal in a JetStream stream, which is created if missing. Any number of processes may
 * have it open. Refuses unusable servers (`journal_unreachable`), a stream whose settings could lose
 * records (`unsafe_stream`), an unknown format (`unknown_journal_format`), and a stream that ends with something
 * that no gateway wrote (`forged_record`).
 */
export async function openNatsJournal(options: NatsJournalOptions): Promise<Result<NatsJournal>> {
  const { stream = 'proffer', replicas = 3, create = true } = options;
  const connected = await openConnection(options);
  if (!connected.ok) return connected;
  const { connection, manager, authenticityOf } = connected.value;
  try {
    const client = jetstream(connection);
    const prefix = stream;
    const wishes = { name: stream, prefix, replicas };
    const ensured = await withRetry(() => ensureStream(manager, wishes, { create }));
    if (!ensured.ok) {
      await connection.close();
      return ensured;
    }
    const { created, journal: id } = ensured.value;
    const authenticity = authenticityOf(id);
    const authentic = createAuthentic(authenticity, () => {});
    const subjects = createSubjects(prefix);
    const heads = new KnownHeads(subjects);
    const all = subjects.below(EVERY_SPACE);
    const looked = recentFrom((await lastMessage(manager, stream, all))?.seq ?? 0);
    // The answering server may lag: what it does not have yet arrives later.
    let after = 0;
    const recent: Entry[] = [];
    for await (const message of lastOfEach(client, stream, { headersOnly: true })) {
      after = Math.max(after, message.seq);
      const entry = authentic.entry(message);
      if (entry === undefined) continue;
      if (message.seq > looked) recent.push(entry);
      else heads.begin(entry.subject, entry.head);
    }
    const voids = await findRecentVoids(checkedPast(createPast(manager, stream), authentic), {
      subject: all,
      after: looked,
      last: after,
    });
    const ends = new Map(voids.map(({ message, end }) => [message.seq, end]));
    for (const { seq, subject, head } of recent) heads.begin(subject, ends.get(seq) ?? head);
    const journal = new NatsJournal({
      connection,
      client,
      manager,
      stream,
      subjects,
      heads,
      authenticity,
      created,
      after,
      voids: voids.map(({ message }) => message),
      hash: options.hash ?? nativeSha256,
      batchBytes: options.batchBytes ?? 262_144,
      patience: options.patience ?? 3_000,
      tail: options.tail ?? DEFAULT_TAIL_LIMITS,
    });
    await journal.start();
    return success(journal);
  } catch (error) {
    await connection.close();
    return failure(error instanceof JournalError ? error.refusal : await noAccess(options, error));
  }
}
