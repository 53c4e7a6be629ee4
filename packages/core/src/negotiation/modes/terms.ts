import type { PolicyRules } from '../policy/policy-rules.js';

/** The terms of a session that its rules depend on. */
export interface Terms<Rules extends PolicyRules = PolicyRules> {
  readonly initiator: string;
  /** In declaration order. */
  readonly participants: ReadonlySet<string>;
  readonly rules: Rules;
}
