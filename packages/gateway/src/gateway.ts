import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { failure, type Result, refuse, success } from '@proffer/core';
import { createMemoryJournal, type Journal, JournalError, openLocalJournal } from '@proffer/journal';
import type { Logger } from 'pino';
import { createAuthenticator } from './auth/index.js';
import type { GatewayConfig, JournalConfig } from './config/index.js';
import { createHttpTransport } from './http/server.js';
import { createDoor } from './intake/door.js';
import { Room } from './intake/room.js';
import { createMetrics } from './metrics/metrics.js';
import { createWebSocketTransport } from './ws/server.js';

export interface GatewayOptions {
  readonly config: GatewayConfig;
  readonly log: Logger;
  /** Milliseconds since 1970. Default the machine's clock. */
  readonly clock?: () => number;
  /** A journal that is open already; closed with the gateway. Default the one that the config names. */
  readonly journal?: Journal;
}

/** A gateway that runs. */
export interface Gateway {
  /** Where HTTP and WebSocket are served. */
  readonly address: { readonly host: string; readonly port: number; readonly secure: boolean };
  /** Replaces who may do what; connections whose credential is gone end at once. */
  reload(config: GatewayConfig): void;
  /** Says that it is not ready, answers what is in flight, and tells clients to come back. */
  close(): Promise<void>;
}

/** A peer that takes its time with a request holds a socket, not a thread; still, not for ever. */
const TIMES = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 1_000 } as const;

/** For how long after a lost connection a participant still counts as present, in milliseconds. */
const ABSENCE_GRACE = 2_000;

/**
 * Opens the journal, replays it, and serves. Settles when everything is ready. Refuses what an operator
 * can put right: a journal that another process has or that is damaged, an address that is taken.
 */
export async function startGateway(options: GatewayOptions): Promise<Result<Gateway>> {
  const { config, log, clock = Date.now } = options;
  const metrics = createMetrics();
  const opened = options.journal === undefined ? await openJournal(config.journal) : success(options.journal);
  if (!opened.ok) return opened;
  const journal = opened.value;
  const authenticator = createAuthenticator(config, clock);
  const rooms = new Map<string, Room>();
  let ready = false;
  const limits = { maxBytes: config.limits.messageSize, maxDepth: config.limits.messageDepth };
  const spaces = new Set(config.spaces.keys());
  const door = createDoor({ authenticator, limits: config.limits, clock, spaces, rooms });
  const webSockets = createWebSocketTransport({ door, clock, limits, metrics });
  const handle = createHttpTransport({
    door,
    journal,
    clock,
    limits,
    metrics,
    isReady: () => ready,
    onFault: (error, path) => log.error({ err: error, path }, 'a request failed'),
  });
  const server =
    config.tls === undefined
      ? createServer(TIMES, handle)
      : createTlsServer({ ...TIMES, ...readTls(config.tls) }, handle);
  server.on('upgrade', (request, socket, head) => webSockets.upgrade(request, socket, head));

  const listening = await listen(server, config);
  if (!listening.ok) {
    await journal.close();
    return listening;
  }
  const address = listening.value;
  try {
    for (const settings of config.spaces.values()) {
      const room = await Room.open({
        journal,
        settings: { ...settings, maxPending: config.limits.pendingProposalsPerParticipant },
        clock,
        absenceGrace: ABSENCE_GRACE,
        maxUnread: config.limits.unacknowledgedPerConnection,
        onRecords: (records) => {
          for (const { type } of records) metrics.records.inc({ type });
        },
        onFellBehind: () => metrics.fellBehind.inc(),
        onFault: (error) => log.error({ err: error, space: settings.name }, 'a message was not decided'),
        onBroken: (error) => {
          ready = false;
          log.fatal({ err: error, space: settings.name }, 'the feed of a space broke');
        },
      });
      rooms.set(settings.name, room);
    }
  } catch (error) {
    await close();
    if (error instanceof JournalError) return failure(error.refusal);
    throw error;
  }
  ready = true;
  log.info({ address, spaces: [...rooms.keys()], dev: config.dev }, 'the gateway is ready');

  async function close(): Promise<void> {
    ready = false;
    await Promise.all(Array.from(rooms.values(), (room) => room.close()));
    webSockets.close();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // Who keeps a connection for the next request is cut when this one is answered, or soon.
    const cutting = setInterval(() => server.closeIdleConnections(), 50);
    const giveUp = setTimeout(() => server.closeAllConnections(), 3_000);
    await closed;
    clearInterval(cutting);
    clearTimeout(giveUp);
    await journal.close();
    log.info('the gateway is closed');
  }
  let closing: Promise<void> | undefined;

  return success({
    address,
    reload(next) {
      authenticator.reload(next);
      for (const room of rooms.values()) room.inspect();
    },
    close() {
      closing ??= close();
      return closing;
    },
  });
}

async function openJournal(config: JournalConfig): Promise<Result<Journal>> {
  if (config.backend === 'memory') return success(createMemoryJournal());
  if (config.backend === 'local') return await openLocalJournal(config.path);
  return failure(
    refuse('unavailable', 'The nats journal is not part of this version.', { field: 'journal' }),
  );
}

function readTls({ cert, key }: NonNullable<GatewayConfig['tls']>) {
  return { cert: readFileSync(cert), key: readFileSync(key), minVersion: 'TLSv1.2' } as const;
}

async function listen(
  server: Server,
  { listen: { http }, tls }: GatewayConfig,
): Promise<Result<Gateway['address']>> {
  if (http === undefined)
    return failure(refuse('cannot_listen', 'listen.http is off: there is nothing to serve.'));
  const { host } = http;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(http.port, host, () => resolve());
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return failure(refuse('cannot_listen', `Listening failed: ${why}.`, { host, port: http.port }));
  }
  const { port } = server.address() as AddressInfo;
  return success({ host, port, secure: tls !== undefined });
}
