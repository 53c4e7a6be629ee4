import type { Result } from '../../../refusal/refusal.js';
import { ModeProjection, projectInto } from '../../projection/mode-projection.js';
import type { ProjectionOptions } from '../../projection/session-projection.js';
import type { EnvelopeOf, MacpEnvelope } from '../../wire/macp-envelope.js';
import { type DecisionPhase, type Deliberation, decisionPhaseOf } from './deliberation.js';
import type { DecisionEligibility } from './eligibility.js';
import { decisionMode } from './mode.js';
import type { DecisionModePayloads } from './payloads.js';
import type { DecisionRules } from './rules.js';
import type { EvaluationView, ObjectionView, OptionView, VoteView } from './views.js';

/**
 * The state of one session in Decision Mode, for programs that follow it. Adds to {@link ModeProjection}
 * who proposed, evaluated, objected and voted, and their texts.
 */
export class DecisionProjection extends ModeProjection<
  Deliberation,
  DecisionModePayloads,
  DecisionRules,
  DecisionEligibility
> {
  readonly #options = new Map<string, OptionView>();
  readonly #evaluations: EvaluationView[] = [];
  readonly #objections: ObjectionView[] = [];
  readonly #votes = new Map<string, Map<string, VoteView>>();

  constructor(options: ProjectionOptions = {}) {
    super(decisionMode, options);
  }

  /** Every option, by its id, in the order in which they were proposed. */
  get proposals(): ReadonlyMap<string, OptionView> {
    return this.#options;
  }

  /** Every evaluation, in order. */
  get evaluations(): readonly EvaluationView[] {
    return this.#evaluations;
  }

  /** Every objection, in order. */
  get objections(): readonly ObjectionView[] {
    return this.#objections;
  }

  /** The votes on each option, by voter; an option without votes is left out. */
  get votes(): ReadonlyMap<string, ReadonlyMap<string, VoteView>> {
    return this.#votes;
  }

  /** The phase of the decision. */
  get phase(): DecisionPhase {
    return decisionPhaseOf(this.negotiation);
  }

  protected override keepWords({ message_type, payload, sender }: EnvelopeOf<DecisionModePayloads>): void {
    const { proposal_id: proposalId } = payload;
    switch (message_type) {
      case 'Proposal': {
        const { option, rationale, supporting_data: supportingData } = payload;
        this.#options.set(proposalId, { proposalId, proposer: sender, option, rationale, supportingData });
        break;
      }
      case 'Evaluation': {
        const { recommendation, confidence, reason } = payload;
        this.#evaluations.push({ sender, proposalId, recommendation, confidence, reason });
        break;
      }
      case 'Objection': {
        const { severity, reason } = payload;
        this.#objections.push({ sender, proposalId, severity, reason });
        break;
      }
      case 'Vote': {
        const votes = this.#votes.get(proposalId) ?? new Map<string, VoteView>();
        const { vote, reason } = payload;
        this.#votes.set(proposalId, votes.set(sender, { sender, proposalId, vote, reason }));
        break;
      }
    }
  }
}

/** The projection of a whole transcript. Refuses at the first envelope that does not fit. */
export function projectDecision(
  envelopes: Iterable<MacpEnvelope>,
  options: ProjectionOptions = {},
): Result<DecisionProjection> {
  return projectInto(new DecisionProjection(options), envelopes);
}
