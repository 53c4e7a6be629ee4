import { failure, type Result, success } from '@proffer/core';
import { type SpaceSettings } from '@proffer/core/operations';
import { type CutOffWrite, type Journal, JournalError } from '@proffer/journal';
import type { Logger } from 'pino';
import { type Beside, type Companion, type ServedAddress, startCompanions } from './companion.js';
import type { GatewayConfig } from './config/index.js';
import { createConsole } from './console/index.js';
import {
  connectionBudget,
  createAuthenticator,
  createConnectionLimiter,
  createDoor,
  limitConnections,
} from './door/index.js';
import {
  createFaultLog,
  type History,
  openGivenJournal,
  openHistory,
  type Readiness,
  type Retention,
  startRetention,
  watchJournal,
} from './journal/index.js';
import { countRecords, createMetrics } from './metrics/index.js';
import { createNegotiations, endpointsOf, macpLimits, Plane } from './negotiation/index.js';
import { createGuests, Room, standingByName } from './operations/index.js';
import { connectPeers, openRevocations, type Revocations } from './peers/index.js';
import {
  createHttpServer,
  createHttpTransport,
  createOnBehalf,
  createWebSocketTransport,
  listen,
  loadGrpcTransport,
  readCertificate,
  trackConnections,
} from './transports/index.js';

export interface GatewayOptions {
  readonly config: GatewayConfig;
  readonly log: Logger;
  /** Milliseconds since 1970. Default: the machine's clock. */
  readonly clock?: () => number;
  /** Companions that run with the gateway. Default: none. */
  readonly companions?: readonly Companion[];
  /** An open journal; closed with the gateway. Default: the configured one. */
  readonly journal?: Journal;
  /** The folder with the console's files, served at `/console/`. Default: it is not served. */
  readonly console?: string;
}

/** A running gateway. */
export interface Gateway {
  /** Where HTTP and WebSocket are served. */
  readonly address: ServedAddress;
  /** Where gRPC is served; absent when it is off. */
  readonly grpcAddress?: ServedAddress;
  /** What a truncated last write left in the journal; it was dropped, and logged. */
  readonly dropped?: CutOffWrite;
  /**
   * Applies new access settings; connections whose credential is gone end at once. The certificate is read
   * again for new connections; if it is invalid, that is logged and the old one stays.
   */
  reload(config: GatewayConfig): void;
  /** Reports that it is not ready, answers what is in flight, and tells clients to reconnect. */
  close(): Promise<void>;
}

/** How long a participant still counts as present after it lost its connection, in milliseconds. */
const ABSENCE_GRACE = 2_000;

/** How long closing waits for an unavailable journal, in milliseconds. */
const MAX_WAIT = 3_000;

/**
 * Opens the journal, replays it, and serves. Resolves when everything is ready. Refuses what an operator can
 * fix: a bad certificate, a journal that is damaged or in use by another process, an address in use.
 */
export async function startGateway(options: GatewayOptions): Promise<Result<Gateway>> {
  const { config, log, clock = Date.now } = options;
  const metrics = createMetrics();
  const logFault = createFaultLog(log, clock);
  const console = createConsole(config, options.console);
  const certificate = config.tls === undefined ? undefined : readCertificate(config.tls, clock());
  if (certificate?.ok === false) {
    await options.journal?.close();
    return certificate;
  }
  const opened = await openGivenJournal(options.journal, { config, log });
  if (!opened.ok) return opened;
  const { journal, dropped } = opened.value;
  const authenticator = createAuthenticator(config, clock);
  const rooms = new Map<string, Room>();
  const peers = connectPeers({ journal, rooms, clock, metrics, config, log });
  let retention: Retention | undefined;
  let revocations: Revocations | undefined;
  let history: History | undefined;
  let configured = config;
  let ready = false;
  const journalHealth = watchJournal(journal, { metrics, log, onChanged: () => grpc?.readinessChanged() });
  const readiness = (): Readiness => (ready ? journalHealth() : { ready });
  let companions: Beside | undefined;
  const limits = { maxBytes: config.limits.messageSize, maxDepth: config.limits.messageDepth };
  const spaces = new Set(config.spaces.keys());
  const connections = createConnectionLimiter(config.limits.connectionsPerToken);
  const door = createDoor({ authenticator, connections });
  const guests = createGuests({ door, limits: config.limits, clock, peers, spaces, rooms });
  let plane: Plane | undefined;
  const negotiations = createNegotiations({
    door,
    limits: config.limits,
    metrics,
    peers,
    plane: () => plane,
    endpoints: () => endpointsOf(address, grpcAddress),
    defaultPolicy: config.negotiation.defaultPolicy,
  });
  const budget = connectionBudget(config.listen.grpc === undefined ? 1 : 2);
  const webSockets = createWebSocketTransport({
    guests,
    negotiations,
    clock,
    limits,
    macp: {
      json: macpLimits(limits, config.limits.negotiationPayloadSize),
      maxUnread: config.limits.unacknowledgedPerConnection,
      badMessages: config.limits.badMessagesPerConnection,
    },
    metrics,
    dev: config.dev,
    origins: () => configured.listen.allowedOrigins,
    onAdmitted: (request) => httpConnections.admitted(request),
  });
  const handle = createHttpTransport({
    guests,
    negotiations,
    maxPayload: config.limits.negotiationPayloadSize,
    journal,
    clock,
    limits,
    metrics,
    beside: () => companions,
    configured: config,
    differences: () => peers?.differences() ?? [],
    readiness,
    dev: config.dev,
    origins: () => configured.listen.allowedOrigins,
    console,
    connections: () => httpConnections,
    onFault: (error, path) => logFault(error, 'a request failed', { path }),
  });
  const { server, secured } = createHttpServer(certificate?.value, handle);
  const httpConnections = trackConnections(server, budget.strangers);
  server.on('upgrade', (request, socket, head) => webSockets.upgrade(request, socket, head));

  const grpc =
    config.listen.grpc &&
    (await loadGrpcTransport()).createGrpcTransport({
      negotiations,
      limits: config.limits,
      metrics,
      clock,
      isReady: () => ready,
      mostStrangers: budget.strangers.total,
      isServing: () => readiness().ready,
      onFault: (error, path) => logFault(error, 'a call failed', { path }),
      ...(certificate === undefined ? {} : { tls: certificate.value }),
    });
  const isSecure = certificate !== undefined;
  const listening = await listen(server, config.listen.http, { isSecure, field: 'listen.http' });
  if (!listening.ok) {
    await journal.close();
    return listening;
  }
  const grpcListening =
    grpc && (await listen(grpc.server, config.listen.grpc, { isSecure, field: 'listen.grpc' }));
  if (grpcListening?.ok === false) {
    server.close();
    await journal.close();
    return grpcListening;
  }
  limitConnections(server, { budget, transport: 'http', log, metrics });
  if (grpc !== undefined) limitConnections(grpc.server, { budget, transport: 'grpc', log, metrics });
  const address = listening.value;
  const grpcAddress = grpcListening?.value;
  try {
    const past = await openHistory({ journal, spaces: [...config.spaces.values()], log });
    history = past;
    const both = {
      journal,
      clock,
      maxUnread: config.limits.unacknowledgedPerConnection,
      onRecords: (records: Parameters<typeof countRecords>[1]) => countRecords(metrics, records),
      onFellBehind: () => metrics.fellBehind.inc(),
    };
    const feedBroke = (whose: string, details: object): void => {
      ready = false;
      log.fatal(details, `the feed of ${whose} broke`);
    };
    const openRoom = async (settings: SpaceSettings): Promise<void> => {
      const { name } = settings;
      const room = await Room.open({
        ...both,
        ...past.replayed.space(name),
        settings: { ...settings, maxPending: config.limits.pendingProposalsPerParticipant },
        standingByName: (participant) => standingByName(authenticator, participant, name),
        peers: peers?.of(name),
        absenceGrace: ABSENCE_GRACE,
        onFault: (error) => logFault(error, 'a message was not decided', { space: name }),
        onBroken: (error) => feedBroke('a space', { err: error, space: name }),
      });
      rooms.set(name, room);
    };
    const openPlane = async (): Promise<void> => {
      plane = await Plane.open({
        ...both,
        ...past.replayed.sessions(),
        defaultPolicy: config.negotiation.defaultPolicy,
        peers,
        onFault: (error) => logFault(error, 'a negotiation message was not decided'),
        onBroken: (error) => feedBroke('the sessions', { err: error }),
      });
    };
    const onBroken = (error: unknown): void => feedBroke('revoked tokens', { err: error });
    const openAccess = async (): Promise<void> => {
      revocations = await openRevocations({ ...both, replay: past.replay, log, onChanged: letIn, onBroken });
    };
    const opening = [...Array.from(config.spaces.values(), openRoom), openPlane(), openAccess()];
    await Promise.all([...opening, past.read()]);
    letIn();
    await peers?.start();
  } catch (error) {
    await close();
    if (error instanceof JournalError) return failure(error.refusal);
    throw error;
  }
  ready = true;
  grpc?.readinessChanged();
  const { retention: keepFor } = config.journal;
  if (keepFor !== undefined) retention = startRetention({ journal, keepFor, clock, log });
  companions = await startCompanions(options.companions ?? [], {
    config: revocations?.without(config) ?? config,
    journal,
    clock,
    log,
    address,
    registry: metrics.registry,
    ...createOnBehalf({ guests, journal, clock, limits, metrics }),
  });
  log.info({ address, spaces: [...rooms.keys()], dev: config.dev }, 'the gateway is ready');

  /** Lets in configured participants, and disconnects those whose credential is gone. */
  function letIn(): void {
    const current = revocations?.without(configured) ?? configured;
    authenticator.reload(current);
    for (const room of rooms.values()) room.inspect();
    plane?.inspect();
    companions?.reload(current);
  }

  async function close(): Promise<void> {
    ready = false;
    grpc?.readinessChanged();
    retention?.stop();
    revocations?.close();
    await companions?.close();
    // Requests waiting for an unavailable journal are abandoned: the sender may resend them to any gateway.
    const abandon = setTimeout(() => void journal.close(), MAX_WAIT);
    await Promise.all([...Array.from(rooms.values(), (room) => room.close()), plane?.close()]);
    clearTimeout(abandon);
    peers?.close();
    webSockets.close();
    await Promise.all([httpConnections.close(), grpc?.close()]);
    if (plane !== undefined) await history?.save(rooms.values(), plane);
    await journal.close();
    log.info('the gateway is closed');
  }
  let closing: Promise<void> | undefined;

  return success({
    address,
    ...(grpcAddress === undefined ? {} : { grpcAddress }),
    ...(dropped === undefined ? {} : { dropped }),
    reload(next) {
      revocations?.reloaded(configured, next);
      configured = next;
      letIn();
      peers?.reloaded(next);
      const renewed = secured && next.tls && readCertificate(next.tls, clock());
      if (renewed === undefined) return;
      // The old one may still be valid; if not, clients report it, and the operator knows why.
      if (!renewed.ok) return log.error({ refusal: renewed.refusal }, 'the new certificate was not loaded');
      secured?.setSecureContext(renewed.value);
      grpc?.renew(renewed.value);
    },
    close: () => (closing ??= close()),
  });
}
