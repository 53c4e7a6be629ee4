import type { Result } from '../../../refusal/refusal.js';
import { ModeProjection, projectInto } from '../../projection/mode-projection.js';
import type { ProjectionOptions } from '../../projection/session-projection.js';
import type { EnvelopeOf, MacpEnvelope } from '../../wire/macp-envelope.js';
import {
  type ApprovalState,
  type Ballot,
  type QuorumPhase,
  quorumPhaseOf,
  requiredApprovals,
} from './approval.js';
import type { QuorumEligibility } from './eligibility.js';
import { quorumMode } from './mode.js';
import type { QuorumModePayloads } from './payloads.js';
import type { QuorumRules } from './rules.js';

/** A request as a reader sees it. */
export interface ApprovalRequestView {
  readonly requestId: string;
  readonly requester: string;
  readonly action: string;
  readonly summary: string;
  /** Base64. */
  readonly details: string;
  /** As the request says; the policy may say otherwise. */
  readonly requiredApprovals: number;
}

/** A participant's ballot. */
export interface BallotView {
  readonly sender: string;
  readonly ballot: Ballot;
  readonly reason: string;
}

/**
 * The state of one session in Quorum Mode, for programs that follow it. Adds to {@link ModeProjection}
 * the request and the ballots, with their texts.
 */
export class QuorumProjection extends ModeProjection<
  ApprovalState,
  QuorumModePayloads,
  QuorumRules,
  QuorumEligibility
> {
  #request: ApprovalRequestView | undefined;
  readonly #ballots = new Map<string, BallotView>();

  constructor(options: ProjectionOptions = {}) {
    super(quorumMode, options);
  }

  /** What was asked for; undefined before that. */
  get request(): ApprovalRequestView | undefined {
    return this.#request;
  }

  /** The ballots, by sender, in the order in which they were cast. */
  get ballots(): ReadonlyMap<string, BallotView> {
    return this.#ballots;
  }

  /** How many participants approve. */
  get approvals(): number {
    return this.negotiation.approvals;
  }

  /** How many approvals it takes; undefined before the request. */
  get requiredApprovals(): number | undefined {
    return this.terms === undefined ? undefined : requiredApprovals(this.negotiation, this.terms);
  }

  /** Whether enough participants approve. */
  hasQuorum(): boolean {
    const { requiredApprovals: required } = this;
    return required !== undefined && this.approvals >= required;
  }

  /** The phase of the approval. */
  get phase(): QuorumPhase {
    return quorumPhaseOf(this.negotiation);
  }

  protected override keepWords({ message_type, payload, sender }: EnvelopeOf<QuorumModePayloads>): void {
    if (message_type !== 'ApprovalRequest') {
      this.#ballots.set(sender, { sender, ballot: message_type, reason: payload.reason });
      return;
    }
    const { request_id: requestId, required_approvals, ...words } = payload;
    this.#request = { requestId, requester: sender, ...words, requiredApprovals: required_approvals };
  }
}

/** The projection of a whole transcript. Refuses at the first envelope that does not fit. */
export function projectApproval(
  envelopes: Iterable<MacpEnvelope>,
  options: ProjectionOptions = {},
): Result<QuorumProjection> {
  return projectInto(new QuorumProjection(options), envelopes);
}
