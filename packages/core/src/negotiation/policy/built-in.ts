import type { PolicyRules } from './rules.js';

/** The policy of a session that names none. */
export const DEFAULT_POLICY = 'policy.default';

/** What {@link DEFAULT_POLICY} says, and what a registered policy has where it says nothing. */
export const DEFAULT_RULES: PolicyRules = {
  acceptance: { criterion: 'all_parties', commitment_accepts: true },
  counter_proposal: { max_rounds: 0, retires_original: true },
  rejection: { terminal_on_any_reject: false, authority: 'any_participant', closes_negotiation: true },
  withdrawal: { authority: 'any_participant' },
  commitment: { authority: 'initiator_only', designated_roles: [] },
};

const RFC_0008_RULES: PolicyRules = {
  acceptance: { criterion: 'all_parties', commitment_accepts: false },
  counter_proposal: { max_rounds: 0, retires_original: false },
  rejection: { terminal_on_any_reject: false, authority: 'any_participant', closes_negotiation: false },
  withdrawal: { authority: 'author' },
  commitment: { authority: 'initiator_only', designated_roles: [] },
};

/** A policy that is always there and cannot be registered or removed (N-13). */
export type BuiltInPolicy = {
  readonly id: string;
  readonly description: string;
  readonly rules: PolicyRules;
};

/** All of them, by id. */
export const BUILT_IN_POLICIES: ReadonlyMap<string, BuiltInPolicy> = new Map(
  [
    {
      id: DEFAULT_POLICY,
      description: 'A counter-proposal replaces what it counters; committing counts as accepting.',
      rules: DEFAULT_RULES,
    },
    {
      id: 'policy.rfc-0008',
      description: 'Countered proposals stay live; only authors withdraw; every participant sends Accept.',
      rules: RFC_0008_RULES,
    },
  ].map((policy) => [policy.id, policy]),
);

/** The id that a `policy_version` stands for: empty is {@link DEFAULT_POLICY}. */
export function policyIdOf(policyVersion: string): string {
  return policyVersion === '' ? DEFAULT_POLICY : policyVersion;
}
