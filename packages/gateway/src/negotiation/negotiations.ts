import { failure, type Result, refuse, success } from '@proffer/core';
import { type DefaultPolicy, macpRefusal } from '@proffer/core/negotiation';
import type { LimitsConfig, Rate } from '../config/index.js';
import {
  createConnectionLimiter,
  createRateLimiter,
  type Door,
  type Leave,
  type RateLimiter,
  type Visitor,
} from '../door/index.js';
import type { Metrics } from '../metrics/index.js';
import type { Peers } from '../peers/index.js';
import { countedCode, createOpenCalls, createParty } from './calls/index.js';
import { describeRuntime, initialize, type TransportEndpoint } from './discovery.js';
import type { Plane } from './plane.js';
import type { Negotiations, Party, Transport } from './runtime.js';

export interface NegotiationsOptions {
  readonly door: Door;
  readonly limits: LimitsConfig;
  readonly metrics: Metrics;
  /** The plane, once its history is replayed. */
  readonly plane: () => Plane | undefined;
  /** Where the runtime can be reached, once known. */
  readonly endpoints: () => readonly TransportEndpoint[];
  /** The default rules for a session that names no policy. */
  readonly defaultPolicy: DefaultPolicy;
  /** Shares rates with all gateways on the journal, if there are others. */
  readonly peers?: Pick<Peers, 'share'> | undefined;
}

/** Admits callers, and gives each its calls on the plane. */
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
  ): Promise<Result<{ readonly party: Party; readonly visitor: Visitor }>> {
    const entered = await door.enter(token);
    if (!entered.ok) return refused(entered);
    const visitor = entered.value;
    const plane = options.plane();
    if (plane === undefined) {
      return refused(failure(refuse('unavailable', 'The gateway is still loading its sessions.')));
    }
    const party = createParty({
      plane,
      limits,
      rates,
      metrics,
      countRefusal,
      transport,
      company: door.company,
      name: visitor.name,
      rights() {
        const current = visitor.current();
        return current.ok ? success(current.value.negotiation) : current;
      },
    });
    return success({ party, visitor });
  }

  function refused(result: ReturnType<typeof failure>): ReturnType<typeof failure> {
    countRefusal(countedCode(result.refusal));
    return failure(macpRefusal(result.refusal));
  }

  /** The only place where this plane counts refusals, on every transport. */
  function countRefusal(code: string): void {
    metrics.refusals.inc({ code });
  }

  return {
    async admit(token, transport) {
      const entered = await enter(token, transport);
      return entered.ok ? success(entered.value.party) : entered;
    },
    async connect(token, transport) {
      const entered = await enter(token, transport);
      if (!entered.ok) return entered;
      const { party, visitor } = entered.value;
      const staying = visitor.stay();
      if (!staying.ok) return refused(staying);
      const stream = (): Result<Leave> => {
        const begun = streams.open(visitor.credential);
        return begun.ok ? begun : refused(begun);
      };
      return success({ party, leave: staying.value, stream });
    },
    ...createOpenCalls(options.plane),
    initialize,
    manifest: (agentId) =>
      describeRuntime(agentId, { endpoints: options.endpoints(), defaultPolicy: options.defaultPolicy }),
  };
}
