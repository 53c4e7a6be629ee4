import type { PolicyRules } from './rules.js';

/** The name of the default policy, as MACP clients write it; also what a session means that names none. */
export const DEFAULT_POLICY = 'policy.default';

const GUIDE = 'policy.guide';
const RFC_0008 = 'policy.rfc-0008';

/** What {@link DEFAULT_POLICY} says, and what a registered policy has where it says nothing. */
export const DEFAULT_POLICY_RULES: PolicyRules = {
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
      rules: DEFAULT_POLICY_RULES,
    },
    {
      id: GUIDE,
      description: `${DEFAULT_POLICY} under a name that means the same whatever the default is.`,
      rules: DEFAULT_POLICY_RULES,
    },
    {
      id: RFC_0008,
      description: 'Countered proposals stay live; only authors withdraw; every participant sends Accept.',
      rules: RFC_0008_RULES,
    },
  ].map((policy) => [policy.id, policy]),
);

/** Whose rules hold where a session names no policy: the guide's, or those of RFC-MACP-0008. */
export type DefaultPolicy = 'guide' | 'rfc-0008';

/**
 * The id of the policy that a `policy_version` stands for. Empty is {@link DEFAULT_POLICY}, which is what MACP clients
 * write who want the default; where that is the RFC's, both are `policy.rfc-0008`.
 */
export function policyIdOf(policyVersion: string, defaultPolicy: DefaultPolicy = 'guide'): string {
  if (policyVersion !== '' && policyVersion !== DEFAULT_POLICY) return policyVersion;
  return defaultPolicy === 'guide' ? DEFAULT_POLICY : RFC_0008;
}
