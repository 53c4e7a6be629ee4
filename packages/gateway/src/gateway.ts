import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { failure, type Result, success } from '@proffer/core';
import { defined } from '@proffer/core/json';
import { completeTree } from '@proffer/evidence';
import { treeHashes } from '@proffer/evidence/node';
import { type CutOffWrite, type Journal, JournalError } from '@proffer/journal';
import type { Logger } from 'pino';
import { closeParts } from './closing.js';
import { type Companion, type RunningCompanions, type ServedAddress, startCompanions } from './companion.js';
import type { GatewayConfig } from './config/index.js';
import { createConsole } from './console/index.js';
import {
  connectionBudget,
  createAuthenticator,
  createConnectionLimiter,
  createDoor,
  limitConnections,
} from './door/index.js';
import { createRecordedRules, type JournalLog, openJournalLog } from './evidence/index.js';
import { hidingLog } from './hiding-log.js';
import {
  createFaultLog,
  openGivenJournal,
  type Readiness,
  type Retention,
  readSalts,
  startRetention,
  watchJournal,
} from './journal/index.js';
import { createMetrics } from './metrics/index.js';
import { createNegotiations, endpointsOf, macpLimits, registerPolicyFiles } from './negotiation/index.js';
import { type GatewayState, openState } from './open-state.js';
import { createInvitationSource, createSpaceAdmission, rightsByName } from './operations/index.js';
import { connectPeers } from './peers/index.js';
import { type GatewayPhase, REFUSED_IN_PHASE, readinessIn } from './phase.js';
import {
  createHttpServer,
  createHttpTransport,
  createOnBehalf,
  createWebSocketTransport,
  listen,
  listenForMetrics,
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
  /**
   * Reports that it is not ready, and a moment later lets nobody in, answers what is in flight, and tells clients to
   * reconnect. Takes no longer than configured, and logs what it left undecided.
   */
  close(): Promise<void>;
}

/**
 * Opens the journal, replays it, and serves. Resolves when everything is ready, companions included. Refuses what an
 * operator can fix: a bad certificate, a journal that is damaged, unavailable or in use by another process, an
 * address in use. After a refusal or an error nothing is left running.
 */
export async function startGateway(options: GatewayOptions): Promise<Result<Gateway>> {
  const { config, clock = Date.now } = options;
  const log = hidingLog(options.log);
  const metrics = createMetrics();
  const logFault = createFaultLog(log, clock);
  const console = createConsole(config, options.console);
  const certificate = config.tls === undefined ? undefined : readCertificate(config.tls, clock());
  if (certificate?.ok === false) {
    await options.journal?.close();
    return certificate;
  }
  const addSalts = await readSalts(config.evidence);
  if (!addSalts.ok) {
    await options.journal?.close();
    return addSalts;
  }
  const opened = await openGivenJournal(options.journal, { config, log });
  if (!opened.ok) return opened;
  const { journal, dropped } = opened.value;
  const state: GatewayState = { liveSpaces: new Map() };
  const { liveSpaces } = state;
  const invitations = createInvitationSource(liveSpaces, clock, (space, inviter) =>
    rightsByName(authenticator, inviter, space),
  );
  const authenticator = createAuthenticator(config, clock, invitations);
  const peers = connectPeers({ journal, liveSpaces, clock, metrics, config, log });
  let retention: Retention | undefined;
  let evidence: JournalLog | undefined;
  // Without a signed log nobody could prove which rules were in force.
  const rules = config.evidence && createRecordedRules({ journal, authenticator, clock, log });
  let metricsServer: Server | undefined;
  let configured = config;
  let phase: GatewayPhase = 'starting';
  let broken: unknown;
  const journalHealth = watchJournal(journal, {
    metrics,
    log,
    clock,
    onChanged: () => grpc?.readinessChanged(),
  });
  const readiness = (): Readiness => readinessIn(phase, journalHealth());
  let companions: RunningCompanions | undefined;
  const limits = { maxBytes: config.limits.messageSize, maxDepth: config.limits.messageDepth };
  const spaces = new Set(config.spaces.keys());
  const connections = createConnectionLimiter(config.limits.connectionsPerToken);
  const door = createDoor({ authenticator, connections, check: () => REFUSED_IN_PHASE[phase] });
  const admission = createSpaceAdmission({ door, limits: config.limits, clock, peers, spaces, liveSpaces });
  const negotiations = createNegotiations({
    door,
    limits: config.limits,
    metrics,
    peers,
    runtime: () => (REFUSED_IN_PHASE[phase] === undefined ? state.negotiation : undefined),
    endpoints: () => endpointsOf(address, grpcAddress),
    defaultPolicy: config.negotiation.defaultPolicy,
    evidence: () => evidence,
    hasFixedPolicies: config.negotiation.policies !== undefined,
    dev: config.dev,
  });
  const budget = connectionBudget(config.listen.grpc === undefined ? 1 : 2);
  const webSockets = createWebSocketTransport({
    admission,
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
    admission,
    negotiations,
    maxPayload: config.limits.negotiationPayloadSize,
    journal,
    evidence: () => evidence,
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
      isReady: () => REFUSED_IN_PHASE[phase] === undefined,
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
    await openState(state, {
      config,
      journal,
      addSalts: addSalts.value,
      authenticator,
      peers,
      clock,
      passkeyOrigins: () => configured.passkeyOrigins,
      metrics,
      log,
      logFault,
      onTokensChanged: letIn,
      onBroken(error, how) {
        broken ??= error;
        if (phase === 'ready' || phase === 'broken') setPhase(how);
      },
    });
    const { policies } = config.negotiation;
    const registered =
      policies && state.negotiation && (await registerPolicyFiles(state.negotiation, policies));
    if (registered && !registered.ok) {
      await close();
      return registered;
    }
    if (registered && registered.value.length > 0)
      log.info(
        { policies: registered.value },
        'policies that have no file (negotiation.policies) were unregistered',
      );
    if (config.listen.metrics !== undefined) {
      const served = await listenForMetrics(metrics, config.listen.metrics);
      if (!served.ok) {
        await close();
        return served;
      }
      metricsServer = served.value;
    }
    if (config.evidence !== undefined && journal.tree !== undefined) {
      const { key: keyFile, every, publish, witnesses } = config.evidence;
      const signed = await openJournalLog({
        journal,
        tree: journal.tree,
        keyFile,
        every,
        publish,
        witnesses,
        // A journal in memory begins anew with each start.
        isKept: config.journal.backend !== 'memory',
        onWitnessed: ({ at }) => metrics.witnessed.set(at / 1000),
        log,
      });
      if (!signed.ok) {
        await close();
        return signed;
      }
      evidence = signed.value;
    }
    letIn();
    await rules?.record(config);
    await peers?.start();
    companions = await startCompanions(options.companions ?? [], {
      config: state.revocations?.without(config) ?? config,
      journal,
      clock,
      log,
      address,
      registry: metrics.registry,
      ...createOnBehalf({ admission, journal, clock, limits, metrics }),
    });
    if (broken !== undefined) throw broken;
  } catch (error) {
    await close();
    if (error instanceof JournalError) return failure(error.refusal);
    throw error;
  }
  const { retention: keepFor } = config.journal;
  if (keepFor !== undefined)
    retention = startRetention({
      journal,
      keepFor,
      clock,
      log,
      settle: () => evidence?.settle() ?? completeTree(journal, treeHashes),
    });
  setPhase('ready');
  const { durability } = journal;
  const about = { address, spaces: [...liveSpaces.keys()], dev: config.dev, ...defined({ durability }) };
  log.info(about, 'the gateway is ready');

  function setPhase(next: GatewayPhase): void {
    phase = next;
    grpc?.readinessChanged();
  }

  /** Lets in configured participants, and disconnects those whose credential is gone. */
  function letIn(): void {
    const current = state.revocations?.without(configured) ?? configured;
    authenticator.reload(current);
    for (const liveSpace of liveSpaces.values()) liveSpace.inspect();
    state.negotiation?.inspect();
    companions?.reload(current);
  }

  async function close(): Promise<void> {
    const { notReadyFor, timeout } = configured.shutdown;
    const isKnown = phase === 'ready';
    setPhase('leaving');
    // Proxies send requests here until they notice.
    if (isKnown && notReadyFor > 0) await delay(notReadyFor);
    setPhase('stopping');
    retention?.stop();
    state.revocations?.close();
    rules?.close();
    const { negotiation, history, agreements } = state;
    const parts = {
      deciding: [...liveSpaces.values(), ...(negotiation === undefined ? [] : [negotiation])],
      companions,
      async disconnect(grace: number) {
        agreements?.stop();
        peers?.close();
        webSockets.close();
        metricsServer?.close();
        metricsServer?.closeAllConnections();
        await Promise.all([httpConnections.close(grace), grpc?.close(grace)]);
      },
      sign: async () => evidence?.close(),
      save: async () => negotiation && (await history?.save(liveSpaces.values(), negotiation)),
      journal,
      log,
    };
    await closeParts(parts, timeout - (isKnown ? notReadyFor : 0));
  }
  let closing: Promise<void> | undefined;

  return success({
    address,
    ...defined({ grpcAddress, dropped }),
    reload(next) {
      state.revocations?.reloaded(configured, next);
      configured = next;
      letIn();
      void rules?.record(next);
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
