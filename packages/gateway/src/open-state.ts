import type { SpaceSettings } from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import type { Logger } from 'pino';
import { type Agreements, followAgreements } from './agreements/index.js';
import type { GatewayConfig } from './config/index.js';
import type { Authenticator } from './door/index.js';
import { type AddSalts, type History, type LogFault, openHistory } from './journal/index.js';
import { countRecords, type Metrics } from './metrics/index.js';
import { NegotiationRuntime } from './negotiation/index.js';
import { createKeyChecks, LiveSpace, rightsByName } from './operations/index.js';
import { openRevocations, type Peers, type Revocations } from './peers/index.js';

/** What a gateway folds from its journal. Filled while it starts, so that a start that fails can close what there is. */
export interface GatewayState {
  /** By space. */
  readonly liveSpaces: Map<string, LiveSpace>;
  negotiation?: NegotiationRuntime;
  agreements?: Agreements;
  revocations?: Revocations;
  history?: History;
}

export interface OpenStateOptions {
  readonly config: GatewayConfig;
  readonly journal: Journal;
  readonly addSalts: AddSalts | undefined;
  readonly authenticator: Authenticator;
  readonly peers: Peers | undefined;
  readonly clock: () => number;
  /** Where passkeys may be used now (O-49). */
  readonly passkeyOrigins: () => readonly string[] | undefined;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly logFault: LogFault;
  /** Tokens were revoked or restored elsewhere. */
  readonly onTokensChanged: () => void;
  /** The journal can no longer be followed, or not as far as revoked tokens are concerned. */
  readonly onBroken: (error: unknown, how: 'broken' | 'blind') => void;
}

/** How long a participant still counts as present after it lost its connection, in milliseconds. */
const ABSENCE_GRACE = 2_000;

/** Replays the journal, and starts to follow it. */
export async function openState(state: GatewayState, options: OpenStateOptions): Promise<void> {
  const { config, journal, authenticator, peers, clock, metrics, log, logFault } = options;
  const agreements = followAgreements({
    journal,
    liveSpaces: state.liveSpaces,
    log,
    onRefused: (code) => metrics.refusals.inc({ code }),
  });
  state.agreements = agreements;
  const past = await openHistory({ journal, spaces: [...config.spaces.values()], log, agreements });
  state.history = past;
  const keys = createKeyChecks(options.passkeyOrigins);
  const shared = {
    journal,
    clock,
    maxUnread: config.limits.unacknowledgedPerConnection,
    onRecords: (records: Parameters<typeof countRecords>[1]) => countRecords(metrics, records),
    onFellBehind: () => metrics.fellBehind.inc(),
  };
  const feedBroke = (whose: string, error: unknown, details: object = {}): void => {
    log.fatal({ ...details, err: error }, `the feed of ${whose} was interrupted`);
    options.onBroken(error, 'broken');
  };

  async function openSpace(settings: SpaceSettings): Promise<void> {
    const { name } = settings;
    const liveSpace = await LiveSpace.open({
      ...shared,
      ...past.replayed.space(name),
      addSalts: options.addSalts,
      settings: { ...settings, maxPending: config.limits.pendingProposalsPerParticipant },
      keys,
      rightsByName: (participant) => rightsByName(authenticator, participant, name),
      checkInvitable: (participant) => authenticator.checkInvitable(participant, name),
      peers: peers?.of(name),
      absenceGrace: ABSENCE_GRACE,
      onFault: (error) => logFault(error, 'a message was not decided', { space: name }),
      onBroken: (error) => feedBroke('a space', error, { space: name }),
    });
    state.liveSpaces.set(name, liveSpace);
  }

  async function openNegotiation(): Promise<void> {
    state.negotiation = await NegotiationRuntime.open({
      ...shared,
      ...past.replayed.sessions(),
      defaultPolicy: config.negotiation.defaultPolicy,
      peers,
      onSessionRecord: (record) => agreements.see(record),
      onFault: (error) => logFault(error, 'a negotiation message was not decided'),
      onBroken: (error) => feedBroke('the sessions', error),
    });
  }

  async function openTokenRevocations(): Promise<void> {
    const onBroken = (error: unknown): void => {
      log.fatal({ err: error }, 'the feed of revoked tokens was interrupted');
      options.onBroken(error, 'blind');
    };
    const onChanged = options.onTokensChanged;
    state.revocations = await openRevocations({ ...shared, replay: past.replay, log, onChanged, onBroken });
  }

  const opening = [
    ...Array.from(config.spaces.values(), openSpace),
    openNegotiation(),
    openTokenRevocations(),
  ];
  await Promise.all([...opening, past.read()]);
  agreements.begin();
}
