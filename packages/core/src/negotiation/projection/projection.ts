import { quote } from '../../json/describe.js';
import { failure, type Refusal, type Result, refuse, success } from '../../refusal/refusal.js';
import { convergedProposal } from '../modes/proposal/convergence.js';
import { type Eligibility, explainOutcomes, withoutAuthority } from '../modes/proposal/eligibility.js';
import {
  acceptedBy,
  agreedProposal,
  applyMessage,
  isModeEnvelope,
  isTerminal,
  type ModeEnvelope,
  type Negotiation,
  NOTHING_SAID,
  type Phase,
  phaseOf,
} from '../modes/proposal/negotiation.js';
import { type ReadEnvelope, readEnvelope } from '../modes/read-envelope.js';
import type { Terms } from '../modes/terms.js';
import { BUILT_IN_POLICIES, policyIdOf } from '../policy/built-in.js';
import type { PolicyRules } from '../policy/rules.js';
import type { MacpEnvelope } from '../wire/macp-envelope.js';
import type { CommitmentPayload } from '../wire/payloads.js';
import { describeSessionId } from '../wire/session-id.js';
import type { AcceptView, ProposalView, RejectionView } from './views.js';

/**
 * What the accepted messages of one session add up to, for programs that follow it: fed with the
 * envelopes that the runtime delivers, from `SessionStart` on and in their order. It folds the same
 * function as the runtime, so it comes to the same state (N-12).
 */
export class ProposalProjection {
  readonly #rules: PolicyRules | undefined;
  readonly #proposals = new Map<string, ProposalView>();
  readonly #accepts = new Map<string, AcceptView>();
  readonly #rejections: RejectionView[] = [];
  readonly #transcript: ReadEnvelope[] = [];
  readonly #seen = new Set<string>();
  #sessionId: string | undefined;
  #terms: Terms | undefined;
  #negotiation: Negotiation = NOTHING_SAID;

  /**
   * @param options.rules - the rules of the session's policy. Default those of the built-in policy that
   * its `SessionStart` names; a registered policy's have to be handed in
   */
  constructor(options: { readonly rules?: PolicyRules } = {}) {
    this.#rules = options.rules;
  }

  /**
   * Takes in one accepted envelope. The value says whether it was new: an envelope that is delivered
   * again changes nothing. Refuses, without any change, what no runtime would have accepted: a
   * malformed payload, a second `SessionStart`, and anything before it or of another session. Refuses
   * with `UNKNOWN_POLICY_VERSION` the start of a session whose rules it does not know.
   */
  apply(envelope: MacpEnvelope): Result<boolean> {
    const foreign = envelope.session_id !== this.#sessionId;
    if (!foreign && this.#seen.has(envelope.message_id)) return success(false);
    const read = readEnvelope(envelope);
    if (!read.ok) return read;
    const message = read.value;
    const starts = message.message_type === 'SessionStart';
    if (starts && this.#terms !== undefined) return failure(refuseSecondStart(message));
    if (!starts && foreign) return failure(refuseForeign(message));
    const refused = starts ? this.#begin(message) : undefined;
    if (refused !== undefined) return failure(refused);
    if (isModeEnvelope(message) && this.#terms !== undefined) this.#listen(message, this.#terms);
    this.#seen.add(message.message_id);
    this.#transcript.push(message);
    return success(true);
  }

  /** Every proposal ever made, by its id. */
  get proposals(): ReadonlyMap<string, ProposalView> {
    return this.#proposals;
  }

  /** The proposals that are not withdrawn, in the order in which they were made. */
  liveProposals(): readonly ProposalView[] {
    return [...this.#proposals.values()].filter(({ disposition }) => disposition === 'live');
  }

  /** The latest acceptance of each sender; those of withdrawn proposals have fallen away. */
  get accepts(): ReadonlyMap<string, AcceptView> {
    return new Map(
      [...this.#accepts].filter(([sender]) => acceptedBy(this.#negotiation, sender) !== undefined),
    );
  }

  /** The id of the proposal on which all acceptances agree, if there is one. */
  acceptedProposal(): string | undefined {
    return agreedProposal(this.#negotiation);
  }

  /** All rejections, terminal or not, also of proposals withdrawn since. */
  get rejections(): readonly RejectionView[] {
    return this.#rejections;
  }

  /** The current terminal rejections: those whose proposal is still live. */
  get terminalRejections(): readonly RejectionView[] {
    const { terminalRejections } = this.#negotiation;
    return this.#rejections.filter(
      ({ terminal, proposalId }) => terminal && terminalRejections.has(proposalId),
    );
  }

  /** Whether there is a current terminal rejection. */
  hasTerminalRejection(): boolean {
    return this.#negotiation.terminalRejections.size > 0;
  }

  /** How far the negotiation is. */
  get phase(): Phase {
    return phaseOf(this.#negotiation);
  }

  /** Whether there is an outcome. */
  get isCommitted(): boolean {
    return this.commitment !== undefined;
  }

  /** The outcome, once there is one. */
  get commitment(): CommitmentPayload | undefined {
    return this.#negotiation.commitment?.payload;
  }

  /** Whether the outcome is positive; undefined as long as there is none. */
  get isPositiveOutcome(): boolean | undefined {
    return this.commitment?.outcome_positive;
  }

  /**
   * Whether all required participants accept one live proposal (N-9) that no one has rejected terminally.
   *
   * @param committer - who would commit, and so need not have sent an Accept. Default the initiator
   */
  isConverged(committer?: string): boolean {
    const terms = this.#terms;
    if (terms === undefined) return false;
    return convergedProposal(this.#negotiation, terms, committer ?? terms.initiator) !== undefined;
  }

  /**
   * Why it can or cannot be committed, as far as the messages tell (N-9, N-10); the session's state and its time are
   * not among what they tell. Nothing before the start.
   *
   * @param committer - who would commit. Default the initiator
   */
  explain(committer?: string): Eligibility | undefined {
    const terms = this.#terms;
    if (terms === undefined) return undefined;
    const found = explainOutcomes(this.#negotiation, terms, committer ?? terms.initiator);
    return withoutAuthority(found, terms);
  }

  /** Every accepted envelope, the runtime's own included, in order. */
  get transcript(): readonly ReadEnvelope[] {
    return this.#transcript;
  }

  /** The state of the negotiation, as the runtime keeps it. */
  get negotiation(): Negotiation {
    return this.#negotiation;
  }

  #begin({ session_id, sender, payload }: ReadEnvelope<'SessionStart'>): Refusal | undefined {
    const policyId = policyIdOf(payload.policy_version);
    const rules = this.#rules ?? BUILT_IN_POLICIES.get(policyId)?.rules;
    if (rules === undefined) return refuseUnknownRules(policyId);
    this.#sessionId = session_id;
    this.#terms = { initiator: sender, participants: new Set(payload.participants), rules };
    return undefined;
  }

  #listen(message: ModeEnvelope, terms: Terms): void {
    this.#negotiation = applyMessage(this.#negotiation, terms, message);
    this.#keepWords(message, terms);
  }

  /** Keeps what was said around the decisions: titles, summaries, reasons. */
  #keepWords({ message_type, payload, sender }: ModeEnvelope, terms: Terms): void {
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
      case 'Commitment':
        break;
    }
  }

  #keepProposal(view: ProposalView): void {
    this.#proposals.set(view.proposalId, view);
  }

  #refresh(proposalId: string, change: Pick<ProposalView, 'supersededBy'> = {}): void {
    const view = this.#proposals.get(proposalId);
    if (view === undefined) return;
    const disposition = this.#negotiation.live.has(proposalId) ? 'live' : 'withdrawn';
    this.#proposals.set(proposalId, { ...view, ...change, disposition });
  }
}

/** The projection of a whole transcript. Refuses with the first envelope that does not fit. */
export function projectNegotiation(
  envelopes: Iterable<MacpEnvelope>,
  options: { readonly rules?: PolicyRules } = {},
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

function refuseSecondStart({ session_id }: ReadEnvelope): Refusal {
  return refuse(
    'SESSION_ALREADY_EXISTS',
    'A projection follows one session, and this is a second SessionStart.',
    {
      session_id: describeSessionId(session_id),
    },
  );
}

function refuseForeign({ session_id, message_type }: ReadEnvelope): Refusal {
  const what = `${message_type} belongs to a session whose SessionStart this projection has not seen.`;
  return refuse('SESSION_NOT_FOUND', what, { session_id: describeSessionId(session_id) });
}

function refuseUnknownRules(policyId: string): Refusal {
  const what = `${quote(policyId)} is not a built-in policy, and the projection was given no rules for it.`;
  return refuse('UNKNOWN_POLICY_VERSION', what, {
    field: 'payload.policy_version',
    found: quote(policyId),
    expected: `one of ${[...BUILT_IN_POLICIES.keys()].join(', ')}, or the rules of the policy, passed as \`rules\``,
  });
}
