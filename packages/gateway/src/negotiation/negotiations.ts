import { failure, type Result, refuse, success } from '@proffer/core';
import { type DefaultPolicy, macpRefusal } from '@proffer/core/negotiation';
import type { LimitsConfig } from '../config/index.js';
import {
  type Authenticator,
  type ConnectionLimiter,
  createConnectionLimiter,
  createRateLimiter,
  type Leave,
  type Principal,
} from '../door/index.js';
import type { Metrics } from '../metrics/index.js';
import { createOpenCalls, createParty } from './calls/index.js';
import { describeRuntime, initialize, type TransportEndpoint } from './discovery.js';
import type { Plane } from './plane.js';
import type { Negotiations, Party, Transport } from './runtime.js';

export interface NegotiationsOptions {
  readonly authenticator: Authenticator;
  readonly limits: LimitsConfig;
  /** Shared with the other transports: a token has so many connections, of whichever kind. */
  readonly connections: ConnectionLimiter;
  readonly metrics: Metrics;
  /** The plane, once its history is replayed. */
  readonly plane: () => Plane | undefined;
  /** Where the runtime can be reached, once that is known. */
  readonly endpoints: () => readonly TransportEndpoint[];
  /** Whose rules hold for a session that names no policy. */
  readonly defaultPolicy: DefaultPolicy;
}

/** Lets callers in, and gives each what it may ask of the plane. */
export function createNegotiations(options: NegotiationsOptions): Negotiations {
  const { authenticator, limits, connections, metrics } = options;
  const rates = {
    messages: createRateLimiter(limits.negotiationMessagesPerParticipant, 'RATE_LIMITED'),
    starts: createRateLimiter(limits.sessionStartsPerParticipant, 'RATE_LIMITED'),
    allStarts: createRateLimiter(limits.sessionStarts, 'RATE_LIMITED'),
  };

  const streams = createConnectionLimiter(limits.streamsPerToken, 'streams');

  async function enter(
    token: string | undefined,
    transport: Transport,
  ): Promise<Result<{ readonly party: Party; readonly principal: Principal }>> {
    const authenticated = await authenticator.authenticate(token);
    if (!authenticated.ok) return refused(authenticated);
    const plane = options.plane();
    if (plane === undefined) {
      return refused(failure(refuse('unavailable', 'The gateway is still loading its sessions.')));
    }
    let principal = authenticated.value;
    const party = createParty({
      plane,
      limits,
      rates,
      metrics,
      countRefusal,
      transport,
      name: principal.name,
      rights() {
        const current = authenticator.current(principal);
        if (!current.ok) return current;
        principal = current.value;
        return success(principal.negotiation);
      },
    });
    return success({ party, principal });
  }

  function refused(result: ReturnType<typeof failure>): ReturnType<typeof failure> {
    const refusal = macpRefusal(result.refusal);
    countRefusal(refusal.code);
    return failure(refusal);
  }

  /** The one place where this plane counts what is refused, on whichever transport. */
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
      const { party, principal } = entered.value;
      const { credential } = principal;
      const opened = connections.open(credential);
      if (!opened.ok) return refused(opened);
      const stream = (): Result<Leave> => {
        const begun = streams.open(credential);
        return begun.ok ? begun : refused(begun);
      };
      return success({ party, leave: opened.value, stream });
    },
    ...createOpenCalls(options.plane),
    initialize,
    manifest: (agentId) =>
      describeRuntime(agentId, { endpoints: options.endpoints(), defaultPolicy: options.defaultPolicy }),
  };
}
