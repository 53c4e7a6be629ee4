import { canonicalJson, type JsonObject, parseJson } from '@proffer/core/json';
import {
  type PolicyDescriptor,
  type PolicyRules,
  PROPOSAL_MODE,
  parsePolicyRules,
} from '@proffer/core/negotiation';
import { MacpError } from './macp-error.js';

/** A policy to register. */
export interface PolicyDefinition {
  readonly policyId: string;
  /** Missing keys are as in `policy.default`; unknown keys are refused. */
  readonly rules: JsonObject;
  readonly description?: string;
  /** Default Proposal Mode. */
  readonly mode?: string;
}

/** A definition in its wire form. */
export function completePolicy({
  policyId,
  rules,
  description = '',
  mode = PROPOSAL_MODE,
}: PolicyDefinition): PolicyDescriptor {
  return {
    policy_id: policyId,
    mode,
    description,
    rules: canonicalJson(rules),
    schema_version: 1,
    registered_at_unix_ms: 0,
  };
}

/** The rules in a descriptor, with defaults filled in. Throws a MacpError for unknown rules. */
export function rulesIn(descriptor: PolicyDescriptor): PolicyRules {
  const json = parseJson(descriptor.rules);
  const rules = json.ok ? parsePolicyRules(json.value) : json;
  if (rules.ok) return rules.value;
  const { message, details } = rules.refusal;
  throw new MacpError('INVALID_POLICY_DEFINITION', message, { details });
}
