import { DEFAULT_POLICY } from '../../policy/built-in.js';
import type { BuiltInPolicy, ModePolicies } from '../../policy/policy-rules.js';
import { readRules, section } from '../../policy/rule-sections.js';
import { type FieldReader, read, wrong } from '../../wire/readers.js';
import { type CommitmentRules, commitmentRules } from '../authority.js';
import type { Terms } from '../terms.js';

/** The rules of a policy for Handoff Mode. */
export type HandoffRules = {
  readonly acceptance: {
    /** 0: silence never accepts. Nothing else is supported. */
    readonly implicit_accept_timeout_ms: number;
  };
  readonly commitment: CommitmentRules;
};

/** The terms of a session in Handoff Mode. */
export type HandoffTerms = Terms<HandoffRules>;

/** The rules of `policy.default`, and the defaults of a registered policy. */
export const DEFAULT_HANDOFF_RULES: HandoffRules = {
  acceptance: { implicit_accept_timeout_ms: 0 },
  commitment: { authority: 'initiator_only', designated_roles: [] },
};

/** A policy that asks for more is refused: a session under it would wait for an acceptance that never comes. */
const never: FieldReader<number> = (found, path) =>
  found === 0 ? read(0) : wrong(found, path, '0: this runtime never accepts in place of the target');

const rules = section<HandoffRules>(DEFAULT_HANDOFF_RULES, {
  acceptance: section(DEFAULT_HANDOFF_RULES.acceptance, { implicit_accept_timeout_ms: never }),
  commitment: commitmentRules,
});

const DEFAULT: BuiltInPolicy<HandoffRules> = {
  id: DEFAULT_POLICY,
  description: 'The target answers itself; the owner commits the answer.',
  rules: DEFAULT_HANDOFF_RULES,
};

/** The policies of Handoff Mode. */
export const HANDOFF_POLICIES: ModePolicies<HandoffRules> = {
  builtIn: new Map([[DEFAULT.id, DEFAULT]]),
  parse: (value) => readRules(rules, value),
};
