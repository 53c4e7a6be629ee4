import type { JsonObject } from '../../../../json/json.js';
import type { Proposed } from '../../../records.js';
import { type Call, callIn, digestOf } from '../call.js';
import { personOf } from '../cast.js';

/** An approval that the judge counts. */
export interface Counted {
  readonly by: string;
  /** Whose part it is. */
  readonly part: string;
  readonly call: Call;
  readonly executor: unknown;
  readonly alone: boolean;
}

/** Other params that were offered. */
export interface Countered {
  readonly id: string;
  readonly by: string;
  readonly call: Call;
  isLive: boolean;
}

/** A delegation, with its start and end in the journal. */
export interface DelegationSpan {
  readonly by: string;
  readonly to: string;
  readonly until: number;
  readonly begins: number;
  ends: number;
}

/**
 * What the judge remembers about a proposal. It reads messages, and of the facts only what nobody
 * else could know.
 */
export interface Case {
  readonly id: string;
  readonly proposer: string;
  readonly call: Call;
  readonly dependsOn: readonly string[];
  readonly keeps: boolean;
  readonly executor: unknown;
  /** For whom it is reserved, if anyone. */
  reservedFor: readonly string[] | undefined;
  readonly proposedAt: number;
  expiresAt: number;
  approvals: Counted[];
  readonly counters: Countered[];
  readonly escalatedTo: string[];
  escalations: number;
  readonly handed: DelegationSpan[];
  readonly failed: Set<string>;
  /** Those who rejected, and have not approved since. */
  readonly rejecters: Set<string>;
  isVetoed: boolean;
  /** How many records there are about it, and which of them was the last objection. */
  version: number;
  objectedAt: number;
  /** `approved`: it waits for others. */
  phase: 'pending' | 'approved' | 'over';
  runs: number;
  ranBy?: unknown;
  outcome?: 'ok' | 'error';
}

export function openCase({ envelope, principal: proposer, time, facts }: Proposed): Case {
  const { payload } = envelope;
  const { ttl, depends_on: dependsOn, on_failure: onFailure, executor, targeting } = payload;
  const { preferred, exclusive } = (targeting as JsonObject | undefined) ?? {};
  return {
    id: facts.proposal,
    proposer,
    call: callIn(payload['params']),
    dependsOn: (dependsOn as readonly string[] | undefined) ?? [],
    keeps: onFailure === 'keep',
    executor,
    reservedFor: exclusive === true ? (preferred as readonly string[]) : undefined,
    proposedAt: time,
    expiresAt: typeof ttl === 'number' ? time + ttl : Number.POSITIVE_INFINITY,
    approvals: [],
    counters: [],
    escalatedTo: [],
    escalations: 0,
    handed: [],
    failed: new Set(),
    rejecters: new Set(),
    isVetoed: false,
    version: 1,
    objectedAt: 0,
    phase: 'pending',
    runs: 0,
  };
}

/** The call that an approval names: by its params, or only by the digest of an offer. */
export function namedCall({ call, counters }: Case, { params, digest }: JsonObject): Call | undefined {
  if (params !== undefined) return callIn(params);
  if (digestOf(call) === digest) return call;
  return counters.find((counter) => counter.isLive && digestOf(counter.call) === digest)?.call;
}

/** A person withdraws what they approved, and what was approved in their place. */
export function takeBack(found: Case, person: string): void {
  found.approvals = found.approvals.filter(
    ({ by, part }) => personOf(by) !== person && personOf(part) !== person,
  );
}

/** A person's counter-offers are no longer in force. */
export function cancelCounters({ counters }: Case, person: string): void {
  for (const counter of counters) if (personOf(counter.by) === person) counter.isLive = false;
}
