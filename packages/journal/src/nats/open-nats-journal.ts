import { setTimeout as delay } from 'node:timers/promises';
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { failure, type HashText, type Result, refuse, success } from '@proffer/core';
import { EVERY_SPACE } from '../journal.js';
import { DEFAULT_TAIL_LIMITS, type TailLimits } from '../live-tail.js';
import { nativeSha256 } from '../native-hash.js';
import { connectTo, type NatsAddress } from './access/connect.js';
import { noAccess } from './access/no-access.js';
import { isOldServer, OLDEST_SERVER } from './access/server-version.js';
import { ensureStream } from './access/stream-settings.js';
import { createPast } from './history.js';
import { KnownHeads } from './known-heads.js';
import { lastOfEach } from './last-of-each.js';
import { headOfMessage, type ReadMessage } from './message.js';
import { NatsJournal } from './nats-journal.js';
import { isTransient } from './refusals.js';
import { createSubjects } from './subjects.js';
import { findRecentVoids, recentFrom } from './void-records.js';
import { lastMessage } from './write/batch.js';

export interface NatsJournalOptions extends NatsAddress {
  /** The name of the JetStream stream, also the prefix of its subjects. Default `proffer`. */
  readonly stream?: string;
  /** How many servers store each record before it is acknowledged. Default 3. */
  readonly replicas?: number;
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
const START = 10_000;

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

/** A connection to servers that can store a journal. */
export interface OpenConnection {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
}

/** Connects. Refuses servers that cannot be used (`journal_unreachable`), or are too old (`unsafe_stream`). */
export async function openConnection(options: NatsJournalOptions): Promise<Result<OpenConnection>> {
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
    const manager = await withRetry(() => jetstreamManager(open, { timeout: ANSWER }));
    return success({ connection: open, manager });
  } catch (error) {
    await connection?.close();
    return failure(await noAccess(options, error));
  }
}

/**
 * Opens the journal in a JetStream stream, which is created if missing. Any number of processes may
 * have it open. Refuses unusable servers (`journal_unreachable`), a stream whose settings could lose
 * records (`unsafe_stream`), and an unknown format (`unknown_journal_format`).
 */
export async function openNatsJournal(options: NatsJournalOptions): Promise<Result<NatsJournal>> {
  const { stream = 'proffer', replicas = 3, create = true } = options;
  const connected = await openConnection(options);
  if (!connected.ok) return connected;
  const { connection, manager } = connected.value;
  try {
    const client = jetstream(connection);
    const prefix = stream;
    const wishes = { name: stream, prefix, replicas };
    const ensured = await withRetry(() => ensureStream(manager, wishes, { create }));
    if (!ensured.ok) {
      await connection.close();
      return ensured;
    }
    const subjects = createSubjects(prefix);
    const heads = new KnownHeads(subjects);
    const all = subjects.below(EVERY_SPACE);
    const looked = recentFrom((await lastMessage(manager, stream, all))?.seq ?? 0);
    // The answering server may lag: what it does not have yet arrives later.
    let after = 0;
    const recent: ReadMessage[] = [];
    for await (const message of lastOfEach(client, stream, { headersOnly: true })) {
      after = Math.max(after, message.seq);
      const head = headOfMessage(message);
      if (message.seq > looked) recent.push(message);
      else if (head !== undefined) heads.begin(message.subject, head);
    }
    const voids = await findRecentVoids(createPast(manager, stream), {
      subject: all,
      after: looked,
      last: after,
    });
    const ends = new Map(voids.map(({ message, end }) => [message.seq, end]));
    for (const message of recent) {
      const head = ends.get(message.seq) ?? headOfMessage(message);
      if (head !== undefined) heads.begin(message.subject, head);
    }
    const journal = new NatsJournal({
      connection,
      client,
      manager,
      stream,
      subjects,
      heads,
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
    return failure(await noAccess(options, error));
  }
}
