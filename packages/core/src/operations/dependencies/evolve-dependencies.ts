import { isJsonObject, type JsonObject } from '../../json/json.js';
import { type CounterAccepted, offeredParams } from '../counter/counter.js';
import type { Proposal } from '../proposal/proposal.js';
import type { Approved, Declined, DependenciesMet, DependencyFailed, Proposed } from '../records.js';
import type { Cleared, Dependencies } from './dependency.js';

/** What a new proposal waits for; `undefined` if it has no dependencies. */
export function beginDependencies({ facts }: Proposed): Dependencies | undefined {
  const { dependencies } = facts;
  if (dependencies === undefined) return undefined;
  const { waitsFor, onFailure = 'decline' } = dependencies;
  return { waitsFor, onFailure, failed: [] };
}

type Changes = Partial<Pick<Proposal, 'phase' | 'changedAt' | 'dependencies' | 'cleared' | 'approvals'>>;

/** The effect of a sufficient approval while the proposal waits for others (O-37). */
export function clearedBy(proposal: Proposal, record: Approved | CounterAccepted): Changes {
  const { waitsFor, executor, runBy = [], rested = {} } = record.facts;
  if (waitsFor === undefined) return {};
  const cleared: Cleared = {
    by: record.type === 'counter_accepted' ? record.facts.author : record.principal,
    approval: record.envelope.id,
    at: record.time,
    params: approvedParams(proposal, record),
    to: executor === undefined ? runBy : [executor],
    rested,
  };
  return { phase: 'approved', changedAt: record.time, cleared };
}

/**
 * Exactly the approved params. A request contains them, even if it has none; an approval may name
 * them by digest; an acceptance is of the counter-offer, whatever else its payload says.
 */
export function approvedParams(
  proposal: Proposal,
  record: Approved | CounterAccepted,
): JsonObject | undefined {
  const { kind, payload } = record.envelope;
  const { params } = payload;
  if (record.type === 'counter_accepted')
    return proposal.counters.find(({ id }) => id === record.facts.counter)?.params;
  if (isJsonObject(params)) return params;
  return kind.startsWith('mcp.request.') ? undefined : offeredParams(proposal, record.facts.digest);
}

/** The dependency that ended it, if any. */
export function failedBy({ dependencies }: Proposal, { facts }: Declined): Changes {
  const { dependency, outcome } = facts;
  if (dependencies === undefined || dependency === undefined || outcome === undefined) return {};
  return { dependencies: { ...dependencies, failed: [...dependencies.failed, { dependency, outcome }] } };
}

/** The effect of a dependency that settled, or failed. */
export function evolveDependencies(
  { dependencies, phase }: Proposal,
  { type, facts, time }: DependenciesMet | DependencyFailed,
): Changes {
  if (dependencies === undefined) return {};
  const gone = type === 'dependencies_met' ? facts.dependencies : [facts.dependency];
  const waitsFor = dependencies.waitsFor.filter((id) => !gone.includes(id));
  if (type === 'dependencies_met') return { dependencies: { ...dependencies, waitsFor } };
  const { dependency, outcome } = facts;
  const failed = [...dependencies.failed, { dependency, outcome }];
  const next = { dependencies: { ...dependencies, waitsFor, failed } };
  if (phase !== 'approved') return next;
  return { ...next, phase: 'pending', changedAt: time, cleared: undefined, approvals: [] };
}
