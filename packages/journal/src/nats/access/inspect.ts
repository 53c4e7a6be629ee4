import {
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { failure, type Refusal, type Result, success } from '@proffer/core';
import { EVERY_SPACE } from '../../journal.js';
import { headOfMessage } from '../messages/message.js';
import { createSubjects } from '../messages/subjects.js';
import { type NatsJournalOptions, openConnection } from '../open-nats-journal.js';
import { createPast } from '../read/history.js';
import { isOldServer } from './check.js';
import { connectTo, type NatsAddress, refuseOpenServers, refuseUnencrypted } from './connect.js';
import { noAccess } from './no-access.js';
import { journalIn, type SettingProblem, settingProblems } from './stream-settings.js';

/** Everything to know about a journal's servers, and its stream, from outside. */
export interface NatsReport {
  /** The server that answered. */
  readonly server: string;
  readonly version: string;
  /** Whether the server is too old to store a journal. */
  readonly isOld: boolean;
  /** The largest message it accepts, in bytes. */
  readonly maxPayload: number;
  /** Absent if there is none yet. */
  readonly stream?: {
    readonly messages: number;
    readonly bytes: number;
    readonly replicas: number;
    readonly problems: readonly SettingProblem[];
    /** The servers that are down or lagging. */
    readonly behind: readonly string[];
    /** Whether it has a leader: without one, nothing can be written. */
    readonly hasLeader: boolean;
  };
}

/** Inspects a journal's servers and stream, and changes nothing. Refuses servers that do not answer. */
export async function inspectNats(
  options: NatsAddress & { readonly stream: string; readonly replicas: number },
): Promise<Result<NatsReport>> {
  const unencrypted = refuseUnencrypted(options);
  if (unencrypted !== undefined) return failure(unencrypted);
  let connection: NatsConnection | undefined;
  try {
    connection = await connectTo(options, 'proffer doctor');
    const unprotected = await refuseOpenServers(options);
    if (unprotected !== undefined) return failure(unprotected);
    const manager = await jetstreamManager(connection, { timeout: 3_000 });
    const { version = '0', max_payload: maxPayload = 0 } = connection.info ?? {};
    const found = await streamInfo(manager, options.stream);
    const report = {
      server: connection.getServer(),
      version,
      isOld: isOldServer(version),
      maxPayload,
    };
    if (found === undefined) return success(report);
    const { config, state, cluster } = found;
    const wishes = { name: options.stream, prefix: options.stream, replicas: options.replicas };
    const stream = {
      messages: state.messages,
      bytes: state.bytes,
      replicas: config.num_replicas,
      problems: settingProblems(config, wishes),
      behind: (cluster?.replicas ?? [])
        .filter(({ current, offline }) => !current || offline)
        .map(({ name }) => name),
      hasLeader: cluster === undefined || cluster === null || cluster.leader !== undefined,
    };
    return success({ ...report, stream });
  } catch (error) {
    return failure(await noAccess(options, error));
  } finally {
    await connection?.close();
  }
}

async function streamInfo(manager: JetStreamManager, stream: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(stream);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === 10_059) return undefined;
    throw error;
  }
}

/** Who wrote the last messages of a journal. */
export interface RecentMessages {
  /** How many were looked at, and whether that was all of them. */
  readonly count: number;
  readonly isAll: boolean;
  /** Records that no gateway wrote. */
  readonly foreign: readonly Refusal[];
  /** How many have no MAC, and are accepted. */
  readonly unsigned: number;
}

/** How many are looked at: seconds' worth. `verify` looks at all of them. */
const RECENT = 100_000;

/** Checks the MACs of a journal's last messages, and changes nothing. Refuses what {@link openConnection} refuses. */
export async function inspectRecent(
  options: NatsJournalOptions & { readonly stream: string },
): Promise<Result<RecentMessages>> {
  const { stream } = options;
  const connected = await openConnection({ ...options, name: 'proffer doctor' });
  if (!connected.ok) return connected;
  const { connection, manager, authenticityOf } = connected.value;
  try {
    const { config, state } = await manager.streams.info(stream);
    const authenticity = authenticityOf(journalIn(config));
    const past = createPast(manager, stream);
    const all = createSubjects(stream).below(EVERY_SPACE);
    const start = Math.max(state.first_seq - 1, state.last_seq - RECENT);
    const foreign: Refusal[] = [];
    let count = 0;
    let unsigned = 0;
    for (let seq = start; seq < state.last_seq; ) {
      const { messages, upTo } = await past.after(all, seq);
      for (const message of messages) {
        const head = headOfMessage(message);
        const refusal = authenticity.check(message, head);
        count++;
        if (refusal !== undefined) foreign.push(refusal);
        else if (head?.mac === '') unsigned++;
      }
      seq = upTo;
    }
    return success({ count, isAll: start < state.first_seq, foreign, unsigned });
  } catch (error) {
    return failure(await noAccess(options, error));
  } finally {
    await connection.close();
  }
}
