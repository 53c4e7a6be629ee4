import {
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { failure, type Result, success } from '@proffer/core';
import { connectTo, type NatsAddress } from './connect.js';
import { refuseOpenServers, refuseUnencrypted } from './insecure.js';
import { noAccess } from './no-access.js';
import { isOldServer } from './server-version.js';
import { type SettingProblem, settingProblems } from './stream-settings.js';

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
