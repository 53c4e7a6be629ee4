import { VersionedMap } from '../../collections/versioned-map.js';
import type { JsonObject } from '../../json/json.js';
import type { Proposal, Rejection, Status } from '../proposal/proposal.js';

/**
 * Every field, including optional ones: one that is added to a proposal and forgotten here does not
 * compile.
 */
type EveryField = { readonly [Field in keyof Required<Proposal>]: Proposal[Field] };

/** A proposal encoded by `encodeSpace`, with its maps as lists of pairs. */
type Encoded = Omit<Proposal, 'rejections' | 'statuses'> & {
  readonly rejections: readonly (readonly [string, Rejection])[];
  readonly statuses: readonly (readonly [string, Status])[];
};

/** Decodes a proposal. Field by field, in the order of a new proposal: one shape for all. */
export function decodeProposal(json: JsonObject): Proposal {
  const from = json as unknown as Encoded;
  const decoded: EveryField = {
    id: from.id,
    version: from.version,
    proposer: from.proposer,
    to: from.to,
    addressees: from.addressees,
    method: from.method,
    params: from.params,
    subject: from.subject,
    executor: from.executor,
    argumentFaults: from.argumentFaults,
    origin: from.origin,
    digest: from.digest,
    fingerprint: from.fingerprint,
    requester: from.requester,
    proposedAt: from.proposedAt,
    expiresAt: from.expiresAt,
    warnAt: from.warnAt,
    escalation: from.escalation,
    targeting: from.targeting,
    dependencies: from.dependencies,
    cleared: from.cleared,
    phase: from.phase,
    opened: from.opened,
    declined: from.declined,
    changedAt: from.changedAt,
    rejections: mapOf(from.rejections),
    statuses: mapOf(from.statuses),
    approvals: from.approvals,
    counters: from.counters,
    escalatedTo: from.escalatedTo,
    delegations: from.delegations,
    newsAt: from.newsAt,
    review: from.review,
    ending: from.ending,
    fulfilment: from.fulfilment,
    outcome: from.outcome,
  };
  return decoded;
}

/** Usually there are none, and then it is the one map that all share. */
function mapOf<Value extends object>(entries: readonly (readonly [string, Value])[]): VersionedMap<Value> {
  return entries.length === 0 ? VersionedMap.empty() : VersionedMap.of(entries);
}
