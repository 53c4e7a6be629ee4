import { DEFAULT_POLICY } from '../../policy/built-in.js';
import type { BuiltInPolicy } from '../../policy/policy-rules.js';
import type { DecisionRules } from './rules.js';
import { TWO_THIRDS } from './tally.js';

/** The rules of `policy.default`, and the defaults of a registered policy: votes advise whoever commits. */
export const DEFAULT_DECISION_RULES: DecisionRules = {
  voting: {
    algorithm: 'none',
    threshold: 0.5,
    quorum: { type: 'count', value: 0 },
    weights: {},
    needs_votes: false,
  },
  objection_handling: {
    critical_severity_vetoes: false,
    veto_threshold: 1,
    critical_objection_action: 'deny',
  },
  evaluation: { minimum_confidence: 0, required_before_voting: false },
  commitment: {
    authority: 'initiator_only',
    designated_roles: [],
    require_vote_quorum: false,
    allow_decline_over_approval: false,
  },
};

/** The rules of a reserved profile (RFC-MACP-0012, section 5.2). */
function profile(
  algorithm: DecisionRules['voting']['algorithm'],
  voters: number,
  threshold: number = DEFAULT_DECISION_RULES.voting.threshold,
): DecisionRules {
  const { voting, commitment } = DEFAULT_DECISION_RULES;
  return {
    ...DEFAULT_DECISION_RULES,
    voting: { ...voting, algorithm, threshold, quorum: { type: 'count', value: voters } },
    commitment: { ...commitment, require_vote_quorum: true },
  };
}

/** The built-in policies of Decision Mode, by id. */
export const DECISION_POLICIES: ReadonlyMap<string, BuiltInPolicy<DecisionRules>> = new Map(
  [
    {
      id: DEFAULT_POLICY,
      description: 'Votes and objections advise the initiator, who commits the outcome.',
      rules: DEFAULT_DECISION_RULES,
    },
    {
      id: 'policy.std.majority',
      description: 'At least half of the votes that approve or reject must approve.',
      rules: profile('majority', 1),
    },
    {
      id: 'policy.std.supermajority',
      description:
        'At least two participants vote, and two thirds of the votes that approve or reject must approve.',
      rules: profile('supermajority', 2, TWO_THIRDS),
    },
    {
      id: 'policy.std.unanimous',
      description: 'Every participant must approve, and nobody may reject.',
      rules: profile('unanimous', 1),
    },
  ].map((policy) => [policy.id, policy]),
);
