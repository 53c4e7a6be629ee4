import type { PolicyRules } from '../policy/policy-rules.js';

/** What a session was started with and its rules depend on. */
export interface Terms<Rules extends PolicyRules = PolicyRules> {
  readonly initiator: string;
  /** In the order in which they were declared. */
  readonly participants: ReadonlySet<string>;
  readonly rules: Rules;
}
