import { DEFAULT_POLICY } from '../../policy/built-in.js';
import type { BuiltInPolicy } from '../../policy/policy-rules.js';
import type { QuorumRules } from './rules.js';

/** The rules of `policy.default`, and the defaults of a registered policy: the request names the number. */
export const DEFAULT_QUORUM_RULES: QuorumRules = {
  abstention: { counts_toward_quorum: false, interpretation: 'neutral' },
  commitment: { authority: 'initiator_only', designated_roles: [] },
};

/** The built-in policies of Quorum Mode, by id. */
export const QUORUM_POLICIES: ReadonlyMap<string, BuiltInPolicy<QuorumRules>> = new Map([
  [
    DEFAULT_POLICY,
    {
      id: DEFAULT_POLICY,
      description: 'The request says how many approvals it takes; the initiator commits.',
      rules: DEFAULT_QUORUM_RULES,
    },
  ],
]);
