import { DEFAULT_POLICY } from '../../policy/built-in.js';
import type { BuiltInPolicy, ModePolicies } from '../../policy/policy-rules.js';
import { readRules, section } from '../../policy/rule-sections.js';
import { flag } from '../../wire/readers.js';
import { type CommitmentRules, commitmentRules } from '../authority.js';
import type { Terms } from '../terms.js';

/** The rules of a policy for Task Mode. */
export type TaskRules = {
  /** Whether the assignee may give the task back, so that another participant may accept it. */
  readonly assignment: { readonly allow_reassignment_on_reject: boolean };
  /** Whether a positive outcome needs a report with output. */
  readonly completion: { readonly require_output: boolean };
  readonly commitment: CommitmentRules;
};

/** The terms of a session in Task Mode. */
export type TaskTerms = Terms<TaskRules>;

/** The rules of `policy.default`, and the defaults of a registered policy. */
export const DEFAULT_TASK_RULES: TaskRules = {
  assignment: { allow_reassignment_on_reject: false },
  completion: { require_output: false },
  commitment: { authority: 'initiator_only', designated_roles: [] },
};

const rules = section<TaskRules>(DEFAULT_TASK_RULES, {
  assignment: section(DEFAULT_TASK_RULES.assignment, { allow_reassignment_on_reject: flag }),
  completion: section(DEFAULT_TASK_RULES.completion, { require_output: flag }),
  commitment: commitmentRules,
});

const DEFAULT: BuiltInPolicy<TaskRules> = {
  id: DEFAULT_POLICY,
  description: 'An accepted task stays with its assignee; the requester commits what was reported.',
  rules: DEFAULT_TASK_RULES,
};

/** The policies of Task Mode. */
export const TASK_POLICIES: ModePolicies<TaskRules> = {
  builtIn: new Map([[DEFAULT.id, DEFAULT]]),
  parse: (value) => readRules(rules, value),
};
