import { VersionedMap } from '../../collections/versioned-map.js';
import { objectOf } from '../../json/fields.js';
import { type JsonObject, type JsonValue } from '../../json/json.js';
import type { ProposalEnding } from './ending.js';
import { isOpen, type Proposal } from './proposal.js';

/**
 * A proposal as JSON: what HTTP, the welcome and the console show, and what replay is compared by
 * (I-3).
 */
export function viewProposal(proposal: Proposal): JsonObject {
  const { subject, rejections, statuses, counters, signatures, ...plain } = proposal;
  return {
    ...plain,
    ...(subject === undefined ? {} : { subject: { ...subject } }),
    rejections: viewMap(rejections, (rejection) => rejection),
    statuses: viewMap(statuses, (status) => status),
    ...(counters.length === 0 ? {} : { counters }),
    ...(signatures.length === 0 ? {} : { signatures }),
    decision: decisionOn(proposal),
  };
}

/**
 * The inverse of {@link viewProposal}, to continue folding from there. For views from a gateway,
 * which are well-formed.
 */
export function readProposalView(view: JsonObject): Proposal {
  const { rejections, statuses, decision: _decision, ...plain } = view;
  // An older gateway sends less.
  const whole = { delegations: [], newsAt: 0, counters: [], signatures: [], ...plain };
  const proposal = whole as unknown as Omit<Proposal, 'rejections' | 'statuses'>;
  return { ...proposal, rejections: mapInView(rejections), statuses: mapInView(statuses) };
}

/** Who would run a pending proposal if it were approved now (O-26). */
export type ProspectiveExecutor = {
  readonly name: string;
  readonly isConnected: boolean;
  /** True if it is the proposer itself, which the operator lets run its own calls. */
  readonly isProposer: boolean;
  /** Who served the tool before; absent unless it would run it for the first time (O-26). */
  readonly insteadOf?: string;
  /** Everyone here of whom that is true, and who served the tool before them; absent if there is nobody. */
  readonly newcomers?: Readonly<Record<string, string>>;
  /** The digest of what it announced about the tool; absent if it announced nothing (O-35). */
  readonly definition?: string;
};

/** Who decided what, why, and how long it took; nothing while it is pending. */
export type ProposalDecision = {
  /** `rejected`: its proposer withdrew it because it was rejected. */
  readonly decision: 'fulfilled' | 'rejected' | 'withdrawn' | 'expired' | 'declined';
  /** Absent if time or silence decided. */
  readonly by?: string;
  /** The grant it was based on (O-41). */
  readonly grant?: string;
  /** What ended it, if it did not run (O-45). */
  readonly why?: ProposalEnding['why'];
  readonly reason?: string;
  /** The message that came with a rejection's reason. */
  readonly message?: string;
  readonly amended: boolean;
  readonly at: number;
  /** Milliseconds from the proposal to the decision. */
  readonly took: number;
};

/** The decision on a proposal, from its state alone. */
export function decisionOn(proposal: Proposal): ProposalDecision | undefined {
  const { phase, fulfilment, ending, proposedAt } = proposal;
  if (isOpen(proposal)) return undefined;
  if (fulfilment !== undefined) {
    const { by, at, amendment, grant } = fulfilment;
    const how = grant === undefined ? {} : { grant };
    return { decision: 'fulfilled', by, ...how, amended: amendment.length > 0, at, took: at - proposedAt };
  }
  const isRejected = ending?.why === 'rejected';
  const at = (isRejected ? proposal.rejections.get(ending.by)?.at : undefined) ?? proposal.changedAt;
  return {
    decision: isRejected ? 'rejected' : phase === 'expired' || phase === 'withdrawn' ? phase : 'declined',
    ...(ending === undefined ? {} : whyOf(ending)),
    amended: false,
    at,
    took: at - proposedAt,
  };
}

/** What ended a proposal, as every view has it; the rest is in `ending`. */
function whyOf(ending: ProposalEnding): Pick<ProposalDecision, 'why' | 'by' | 'reason' | 'message'> {
  const { why } = ending;
  return {
    why,
    ...('by' in ending ? { by: ending.by } : {}),
    ...('reason' in ending && ending.reason !== undefined ? { reason: ending.reason } : {}),
    ...('message' in ending && ending.message !== undefined ? { message: ending.message } : {}),
  };
}

/** A map as a JSON object. The canonical text sorts its keys, so the map's own order does not show. */
export function viewMap<Value extends object>(
  map: VersionedMap<Value>,
  view: (value: Value) => JsonValue,
): JsonObject {
  return Object.fromEntries([...map].map(([key, value]) => [key, view(value)]));
}

function mapInView<Value extends object>(view: JsonValue | undefined): VersionedMap<Value> {
  const entries = Object.entries(objectOf(view));
  return VersionedMap.of(entries as unknown as readonly (readonly [string, Value])[]);
}
