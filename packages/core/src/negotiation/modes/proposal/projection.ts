import type { Result } from '../../../refusal/refusal.js';
import { ModeProjection, projectInto } from '../../projection/mode-projection.js';
import type { ProjectionOptions } from '../../projection/session-projection.js';
import type { EnvelopeOf, MacpEnvelope } from '../../wire/macp-envelope.js';
import type { SessionPayloads } from '../../wire/session-messages.js';
import { convergedProposal } from './convergence.js';
import type { ProposalEligibility } from './eligibility.js';
import { proposalMode } from './mode.js';
import {
  acceptedBy,
  agreedProposal,
  isTerminal,
  type Negotiation,
  type NegotiationPhase,
  phaseOf,
} from './negotiation.js';
import type { ProposalModePayloads } from './payloads.js';
import type { ProposalRules, ProposalTerms } from './rules.js';
import type { AcceptView, RejectionView, SessionProposalView } from './views.js';

/** An accepted message of a session in Proposal Mode with its payload parsed; one member for each type. */
export type ProposalMessage = EnvelopeOf<ProposalModePayloads & SessionPayloads>;

/**
 * The state of one session in Proposal Mode, for programs that follow it. Adds to {@link ModeProjection}
 * who offered, accepted and rejected what, and their texts.
 */
export class ProposalProjection extends ModeProjection<
  Negotiation,
  ProposalModePayloads,
  ProposalRules,
  ProposalEligibility
> {
  readonly #proposals = new Map<string, SessionProposalView>();
  readonly #accepts = new Map<string, AcceptView>();
  readonly #rejections: RejectionView[] = [];

  constructor(options: ProjectionOptions = {}) {
    super(proposalMode, options);
  }

  /** Every proposal ever made, by its id. */
  get proposals(): ReadonlyMap<string, SessionProposalView> {
    return this.#proposals;
  }

  /** The proposals that are not withdrawn, in creation order. */
  liveProposals(): readonly SessionProposalView[] {
    return [...this.#proposals.values()].filter(({ disposition }) => disposition === 'live');
  }

  /** The latest acceptance of each sender, without those of withdrawn proposals. */
  get accepts(): ReadonlyMap<string, AcceptView> {
    return new Map(
      [...this.#accepts].filter(([sender]) => acceptedBy(this.negotiation, sender) !== undefined),
    );
  }

  /** The id of the proposal on which all acceptances agree, if there is one. */
  acceptedProposal(): string | undefined {
    return agreedProposal(this.negotiation);
  }

  /** All rejections, terminal or not, including those of withdrawn proposals. */
  get rejections(): readonly RejectionView[] {
    return this.#rejections;
  }

  /** The current terminal rejections: those whose proposal is still live. */
  get terminalRejections(): readonly RejectionView[] {
    const { terminalRejections } = this.negotiation;
    return this.#rejections.filter(
      ({ terminal, proposalId }) => terminal && terminalRejections.has(proposalId),
    );
  }

  /** Whether there is a current terminal rejection. */
  hasTerminalRejection(): boolean {
    return this.negotiation.terminalRejections.size > 0;
  }

  /** The phase of the negotiation. */
  get phase(): NegotiationPhase {
    return phaseOf(this.negotiation);
  }

  /**
   * Whether all required participants accept one live proposal (N-9) that no one has rejected
   * terminally.
   *
   * @param committer - who would commit, and so need not have sent an Accept. Default: the initiator
   */
  isConverged(committer?: string): boolean {
    const { terms } = this;
    if (terms === undefined) return false;
    return convergedProposal(this.negotiation, terms, committer ?? terms.initiator) !== undefined;
  }

  protected override keepWords(message: EnvelopeOf<ProposalModePayloads>, terms: ProposalTerms): void {
    const { message_type, payload, sender } = message;
    switch (message_type) {
      case 'Proposal':
        this.#keepProposal({
          ...wordsOf(payload),
          tags: payload.tags,
          proposer: sender,
          ...LIVE,
        });
        break;
      case 'CounterProposal': {
        const supersedes = payload.supersedes_proposal_id;
        this.#keepProposal({
          ...wordsOf(payload),
          tags: [],
          proposer: sender,
          ...LIVE,
          supersedes,
        });
        this.#refresh(supersedes, { supersededBy: payload.proposal_id });
        break;
      }
      case 'Accept':
        this.#accepts.set(sender, { sender, proposalId: payload.proposal_id, reason: payload.reason });
        break;
      case 'Reject': {
        const terminal = isTerminal(terms, sender, payload);
        const { proposal_id: proposalId, reason } = payload;
        this.#rejections.push({ sender, proposalId, reason, terminal });
        this.#refresh(proposalId);
        break;
      }
      case 'Withdraw':
        this.#refresh(payload.proposal_id);
        break;
    }
  }

  #keepProposal(view: SessionProposalView): void {
    this.#proposals.set(view.proposalId, view);
  }

  #refresh(proposalId: string, change: Pick<SessionProposalView, 'supersededBy'> = {}): void {
    const view = this.#proposals.get(proposalId);
    if (view === undefined) return;
    const { live, terminalRejections } = this.negotiation;
    const state = !live.has(proposalId) ? WITHDRAWN : terminalRejections.has(proposalId) ? REJECTED : LIVE;
    this.#proposals.set(proposalId, { ...view, ...change, ...state });
  }
}

const LIVE = { disposition: 'live', status: 'open' } as const;
const REJECTED = { disposition: 'live', status: 'rejected' } as const;
const WITHDRAWN = { disposition: 'withdrawn', status: 'withdrawn' } as const;

/** The projection of a whole transcript. Refuses at the first envelope that does not fit. */
export function projectNegotiation(
  envelopes: Iterable<MacpEnvelope>,
  options: ProjectionOptions = {},
): Result<ProposalProjection> {
  return projectInto(new ProposalProjection(options), envelopes);
}

function wordsOf(payload: {
  readonly proposal_id: string;
  readonly title: string;
  readonly summary: string;
  readonly details: string;
}) {
  const { proposal_id: proposalId, title, summary, details } = payload;
  return { proposalId, title, summary, details };
}
