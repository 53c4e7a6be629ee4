import { failure, type Result, refuse, success } from '@proffer/core';
import { quote } from '@proffer/core/json';
import {
  type DefaultPolicy,
  listExtensionModes,
  listModes,
  type ModeDescriptor,
  macpRefusal,
  servedModes,
} from '@proffer/core/negotiation';
import type { LimitsConfig, Rate } from '../config/index.js';
import {
  type Caller,
  createConnectionLimiter,
  createRateLimiter,
  type Door,
  type RateLimiter,
  type ReleaseConnection,
} from '../door/index.js';
import type { Metrics } from '../metrics/index.js';
import type { Peers } from '../peers/index.js';
import { countedCode, createNegotiationCaller, createOpenCalls } from './calls/index.js';
import { describeRuntime, initialize, type TransportEndpoint } from './discovery.js';
import type { NegotiationRuntime } from './negotiation-runtime.js';
import type { ReceiptLog } from './receipts.js';
import type { NegotiationCaller, Negotiations, Transport } from './runtime.js';

export interface NegotiationsOptions {
  readonly door: Door;
  readonly limits: LimitsConfig;
  readonly metrics: Metrics;
  /** The runtime, once its history is replayed. */
  readonly runtime: () => NegotiationRuntime | undefined;
  /** Where the runtime can be reached, once known. */
  readonly endpoints: () => readonly TransportEndpoint[];
  /** The default rules for a session that names no policy. */
  readonly defaultPolicy: DefaultPolicy;
  /** Whether the policies are files, which only the operator changes. */
  readonly hasFixedPolicies: boolean;
  /** Whether a name is enough to authenticate. */
  readonly dev: boolean;
  /** The log of the journal, which signs receipts, once it is open. */
  readonly evidence: () => ReceiptLog | undefined;
  /** Shares rates with all gateways on the journal, if there are others. */
  readonly peers?: Pick<Peers, 'share'> | undefined;
}

/** Admits callers, and gives each its calls. */
export function createNegotiations(options: NegotiationsOptions): Negotiations {
  const { door, limits, metrics } = options;
  const shared = (name: string, rate: Rate): RateLimiter => {
    const limiter = createRateLimiter(rate, 'RATE_LIMITED');
    return options.peers?.share(name, limiter) ?? limiter;
  };
  const rates = {
    messages: shared('negotiation messages', limits.negotiationMessagesPerParticipant),
    starts: shared('session starts', limits.sessionStartsPerParticipant),
    allStarts: shared('all session starts', limits.sessionStarts),
  };

  const streams = createConnectionLimiter(limits.streamsPerToken, 'streams');

  async function enter(
    token: string | undefined,
    transport: Transport,
  ): Promise<Result<{ readonly caller: NegotiationCaller; readonly authenticated: Caller }>> {
    const entered = await door.enter(token);
    if (!entered.ok) return refused(entered);
    const authenticated = entered.value;
    const identity = authenticated.current();
    if (identity.ok && identity.value.isInvited === true) {
      const what = `${quote(authenticated.name)} was invited to a space, and takes no part in negotiations.`;
      return refused(failure(refuse('FORBIDDEN', what)));
    }
    const negotiation = options.runtime();
    if (negotiation === undefined) {
      return refused(failure(refuse('unavailable', 'The gateway is still loading its sessions.')));
    }
    const caller = createNegotiationCaller({
      negotiation,
      limits,
      rates,
      metrics,
      countRefusal,
      transport,
      evidence: options.evidence,
      hasFixedPolicies: options.hasFixedPolicies,
      activeSenders: door.activeSenders,
      name: authenticated.name,
      rights() {
        const current = authenticated.current();
        return current.ok ? success(current.value.negotiation) : current;
      },
    });
    return success({ caller, authenticated });
  }

  function refused(result: ReturnType<typeof failure>): ReturnType<typeof failure> {
    countRefusal(countedCode(result.refusal));
    return failure(macpRefusal(result.refusal));
  }

  /** The only place where negotiations count refusals, on every transport. */
  function countRefusal(code: string): void {
    metrics.refusals.inc({ code });
  }

  /** Every mode in which a session can be started; registered ones once the history is read. */
  function allModes(): readonly ModeDescriptor[] {
    const registered = options.runtime()?.modes.state;
    return registered === undefined
      ? servedModes()
      : [...listModes(registered), ...listExtensionModes(registered)];
  }

  return {
    authenticatesSenders: !options.dev,
    async admit(token, transport) {
      const entered = await enter(token, transport);
      return entered.ok ? success(entered.value.caller) : entered;
    },
    async connect(token, transport) {
      const entered = await enter(token, transport);
      if (!entered.ok) return entered;
      const { caller, authenticated } = entered.value;
      const staying = authenticated.stay();
      if (!staying.ok) return refused(staying);
      const stream = (): Result<ReleaseConnection> => {
        const begun = streams.open(authenticated.credential);
        return begun.ok ? begun : refused(begun);
      };
      return success({ caller, leave: staying.value, stream });
    },
    ...createOpenCalls(options.runtime, options.evidence),
    initialize: (request) =>
      initialize(request, { modes: allModes(), signed: options.evidence() !== undefined }),
    manifest: (agentId) =>
      describeRuntime(agentId, {
        endpoints: options.endpoints(),
        modes: allModes(),
        defaultPolicy: options.defaultPolicy,
      }),
  };
}
