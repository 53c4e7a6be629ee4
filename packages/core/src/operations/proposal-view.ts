import { VersionedMap } from '../collections/versioned-map.js';
import type { JsonObject, JsonValue } from '../json/json.js';
import type { Proposal } from './proposal.js';

/** A proposal as JSON: what HTTP, the welcome and the console show, and what replay is compared by (I-3). */
export function viewProposal(proposal: Proposal): JsonObject {
  const { subject, rejections, statuses, ...plain } = proposal;
  return {
    ...plain,
    ...(subject === undefined ? {} : { subject: { ...subject } }),
    rejections: viewMap(rejections, (rejection) => rejection),
    statuses: viewMap(statuses, (status) => status),
    decision: decisionOn(proposal),
  };
}

/** Who decided what, why, and how long it took; nothing while it is pending. */
export type ProposalDecision = {
  readonly decision: 'fulfilled' | 'withdrawn' | 'expired' | 'declined';
  /** Nobody, if time or silence decided. */
  readonly by?: string;
  readonly reason?: string;
  readonly amended: boolean;
  readonly at: number;
  /** Milliseconds from the proposal to the decision. */
  readonly took: number;
};

/** The decision on a proposal, from its state alone. */
export function decisionOn(proposal: Proposal): ProposalDecision | undefined {
  const { phase, fulfilment, withdrawal, proposedAt } = proposal;
  if (phase === 'pending') return undefined;
  if (fulfilment !== undefined) {
    const { by, at, amendment } = fulfilment;
    return { decision: 'fulfilled', by, amended: amendment.length > 0, at, took: at - proposedAt };
  }
  const at = proposal.changedAt;
  const ended = { amended: false, at, took: at - proposedAt };
  if (withdrawal === undefined) return { decision: phase === 'expired' ? 'expired' : 'declined', ...ended };
  const { reason } = withdrawal;
  return {
    decision: 'withdrawn',
    by: proposal.proposer,
    ...(reason === undefined ? {} : { reason }),
    ...ended,
  };
}

/** A map as a JSON object. The canonical text sorts its keys, so the map's own order does not show. */
export function viewMap<Value extends object>(
  map: VersionedMap<Value>,
  view: (value: Value) => JsonValue,
): JsonObject {
  return Object.fromEntries([...map].map(([key, value]) => [key, view(value)]));
}
