import type { PolicyRules } from '../policy/rules.js';

/** What a session was started with and its rules depend on. */
export interface Terms {
  readonly initiator: string;
  /** In the order in which they were declared. */
  readonly participants: ReadonlySet<string>;
  readonly rules: PolicyRules;
}
