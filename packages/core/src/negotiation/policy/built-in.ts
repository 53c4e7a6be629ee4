import type { Mode } from '../modes/mode.js';
import type { BuiltInPolicy } from './policy-rules.js';

/** The name of the default policy, as MACP clients write it; also used by a session that names none. */
export const DEFAULT_POLICY = 'policy.default';

/** Names that RFC-MACP-0012 gives out; what is not built in under them does not exist. */
export const RESERVED_POLICIES = 'policy.std.';

/** Whose rules apply to a session without a policy: the guide's, or those of RFC-MACP-0008. */
export type DefaultPolicy = 'guide' | 'rfc-0008';

/** The id of the policy that a `policy_version` names. Empty is {@link DEFAULT_POLICY}. */
export function policyIdOf(policyVersion: string): string {
  return policyVersion === '' ? DEFAULT_POLICY : policyVersion;
}

/**
 * The built-in policy of a mode for an id. {@link DEFAULT_POLICY} stands for `policy.rfc-0008` if
 * that is the default, in a mode that has it.
 */
export function findBuiltIn(
  { policies: { builtIn } }: Pick<Mode, 'policies'>,
  id: string,
  defaultPolicy: DefaultPolicy = 'guide',
): BuiltInPolicy | undefined {
  const other = id === DEFAULT_POLICY && defaultPolicy !== 'guide' ? `policy.${defaultPolicy}` : id;
  return builtIn.get(other) ?? builtIn.get(id);
}
