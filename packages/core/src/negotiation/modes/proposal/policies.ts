import { DEFAULT_POLICY } from '../../policy/built-in.js';
import type { BuiltInPolicy } from '../../policy/policy-rules.js';
import type { ProposalRules } from './rules.js';

/** The rules of `policy.default`, and the defaults of a registered policy. */
export const DEFAULT_PROPOSAL_RULES: ProposalRules = {
  acceptance: { criterion: 'all_parties', commitment_accepts: true },
  counter_proposal: { max_rounds: 0, retires_original: true },
  rejection: { terminal_on_any_reject: false, authority: 'any_participant', closes_negotiation: true },
  withdrawal: { authority: 'any_participant' },
  commitment: { authority: 'initiator_only', designated_roles: [] },
};

const RFC_0008_RULES: ProposalRules = {
  acceptance: { criterion: 'all_parties', commitment_accepts: false },
  counter_proposal: { max_rounds: 0, retires_original: false },
  rejection: { terminal_on_any_reject: false, authority: 'any_participant', closes_negotiation: false },
  withdrawal: { authority: 'author' },
  commitment: { authority: 'initiator_only', designated_roles: [] },
};

/** The built-in policies of Proposal Mode, by id. */
export const PROPOSAL_POLICIES: ReadonlyMap<string, BuiltInPolicy<ProposalRules>> = new Map(
  [
    {
      id: DEFAULT_POLICY,
      description: 'A counter-proposal replaces what it counters; committing counts as accepting.',
      rules: DEFAULT_PROPOSAL_RULES,
    },
    {
      id: 'policy.guide',
      description: `The rules of ${DEFAULT_POLICY}, under a name that never changes its meaning.`,
      rules: DEFAULT_PROPOSAL_RULES,
    },
    {
      id: 'policy.rfc-0008',
      description: 'Countered proposals stay live; only authors withdraw; every participant sends Accept.',
      rules: RFC_0008_RULES,
    },
  ].map((policy) => [policy.id, policy]),
);
