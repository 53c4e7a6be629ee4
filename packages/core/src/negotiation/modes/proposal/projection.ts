import { quote } from '../../../json/describe.js';
import { failure, type Refusal, type Result, refuse, success } from '../../../refusal/refusal.js';
import { type ProjectionOptions, SessionProjection } from '../../projection/session-projection.js';
import type { EnvelopeOf, MacpEnvelope } from '../../wire/macp-envelope.js';
import type { CommitmentPayload } from '../../wire/payloads.js';
import { isSessionMessage, type SessionPayloads } from '../../wire/session-messages.js';
import { convergedProposal } from './convergence.js';
import type { ProposalEligibility } from './eligibility.js';
import { PROPOSAL_MODE } from './name.js';
import {
  acceptedBy,
  agreedProposal,
  isTerminal,
  type Negotiation,
  type NegotiationPhase,
  NOTHING_SAID,
  phaseOf,
} from './negotiation.js';
import type { ProposalModePayloads } from './payloads.js';
import type { ProposalTerms } from './rules.js';
import type { AcceptView, RejectionView, SessionProposalView } from './views.js';

/** An accepted message of a session in Proposal Mode with its payload parsed; one member for each type. */
export type ProposalMessage = EnvelopeOf<ProposalModePayloads & SessionPayloads>;

/**
 * The state of one session in Proposal Mode, for programs that follow it: fed with the envelopes that
 * the runtime delivers, from `SessionStart` on and in order (N-12). Adds to {@link SessionProjection}
 * who offered, accepted and rejected what, and their texts.
 */
export class ProposalProjection {
  readonly #session: SessionProjection;
  readonly #proposals = new Map<string, SessionProposalView>();
  readonly #accepts = new Map<string, AcceptView>();
  readonly #rejections: RejectionView[] = [];

  constructor(options: ProjectionOptions = {}) {
    this.#session = new SessionProjection(options);
  }

  /** As {@link SessionProjection.apply}. Refuses a session in another mode with `MODE_NOT_SUPPORTED`. */
  apply(envelope: MacpEnvelope): Result<boolean> {
    if (envelope.mode !== PROPOSAL_MODE) return failure(refuseOtherMode(envelope));
    const applied = this.#session.apply(envelope);
    if (!applied.ok || !applied.value) return applied;
    const message = this.transcript.at(-1);
    if (message !== undefined && this.terms !== undefined) this.#keepWords(message, this.terms);
    return applied;
  }

  /** The terms of the session; undefined before the start. */
  get terms(): ProposalTerms | undefined {
    // Parsed by Proposal Mode.
    return this.#session.terms as ProposalTerms | undefined;
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

  /** Whether there is an outcome. */
  get isCommitted(): boolean {
    return this.commitment !== undefined;
  }

  /** The outcome, once there is one. */
  get commitment(): CommitmentPayload | undefined {
    return this.#session.commitment;
  }

  /** Whether the outcome is positive; undefined while there is none. */
  get isPositiveOutcome(): boolean | undefined {
    return this.commitment?.outcome_positive;
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

  /**
   * Why it can or cannot be committed, according to the messages (N-9, N-10), which do not include the
   * session's state and time. Nothing before the start.
   *
   * @param committer - who would commit. Default: the initiator
   */
  explain(committer?: string): ProposalEligibility | undefined {
    // Explained by Proposal Mode.
    return this.#session.explain(committer) as ProposalEligibility | undefined;
  }

  /** Every accepted envelope, including the runtime's own, in order. */
  get transcript(): readonly ProposalMessage[] {
    // Parsed by Proposal Mode's readers.
    return this.#session.transcript as readonly ProposalMessage[];
  }

  /** The state of the negotiation, the same as in the runtime. */
  get negotiation(): Negotiation {
    return (this.#session.state as Negotiation | undefined) ?? NOTHING_SAID;
  }

  /** Keeps the texts around the decisions: titles, summaries, reasons. */
  #keepWords(message: ProposalMessage, terms: ProposalTerms): void {
    if (isSessionMessage(message)) return;
    const { message_type, payload, sender } = message;
    switch (message_type) {
      case 'Proposal':
        this.#keepProposal({
          ...wordsOf(payload),
          tags: payload.tags,
          proposer: sender,
          disposition: 'live',
        });
        break;
      case 'CounterProposal': {
        const supersedes = payload.supersedes_proposal_id;
        this.#keepProposal({
          ...wordsOf(payload),
          tags: [],
          proposer: sender,
          disposition: 'live',
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
    const disposition = this.negotiation.live.has(proposalId) ? 'live' : 'withdrawn';
    this.#proposals.set(proposalId, { ...view, ...change, disposition });
  }
}

/** The projection of a whole transcript. Refuses at the first envelope that does not fit. */
export function projectNegotiation(
  envelopes: Iterable<MacpEnvelope>,
  options: ProjectionOptions = {},
): Result<ProposalProjection> {
  const projection = new ProposalProjection(options);
  for (const envelope of envelopes) {
    const applied = projection.apply(envelope);
    if (!applied.ok) return applied;
  }
  return success(projection);
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

function refuseOtherMode({ mode }: MacpEnvelope): Refusal {
  const what = `The session is in ${quote(mode)}, which has no offers; only ${PROPOSAL_MODE} has.`;
  return refuse('MODE_NOT_SUPPORTED', what, { field: 'mode', found: quote(mode), expected: PROPOSAL_MODE });
}
