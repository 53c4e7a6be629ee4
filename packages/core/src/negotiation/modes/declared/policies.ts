import { describe } from '../../../json/describe.js';
import { isJsonObject, type JsonValue } from '../../../json/json.js';
import { failure, type Result, success } from '../../../refusal/refusal.js';
import { DEFAULT_POLICY } from '../../policy/built-in.js';
import type { BuiltInPolicy, ModePolicies, PolicyRules } from '../../policy/policy-rules.js';
import { readRules, section } from '../../policy/rule-sections.js';
import { refuseField } from '../../wire/refuse-field.js';
import { type CommitmentRules, commitmentRules } from '../authority.js';

/** The rules of a policy for a registered mode: who may end the session, and whatever its participants agreed on. */
export type DeclaredRules = PolicyRules & { readonly commitment: CommitmentRules };

const DEFAULT_RULES: DeclaredRules = { commitment: { authority: 'initiator_only', designated_roles: [] } };

const DEFAULT: BuiltInPolicy<DeclaredRules> = {
  id: DEFAULT_POLICY,
  description: 'The initiator ends the session.',
  rules: DEFAULT_RULES,
};

const known = section<DeclaredRules>(DEFAULT_RULES, { commitment: commitmentRules });

/**
 * The policies of every registered mode. A mode without a schema for its rules takes any object (RFC-MACP-0012,
 * section 4.6); only `commitment` means something here, so only that is checked.
 */
export const DECLARED_POLICIES: ModePolicies<DeclaredRules> = {
  builtIn: new Map([[DEFAULT.id, DEFAULT]]),
  parse: readDeclaredRules,
};

function readDeclaredRules(value: JsonValue): Result<DeclaredRules> {
  if (!isJsonObject(value)) {
    const problem = { field: 'rules', found: describe(value), expected: 'an object' };
    return failure(refuseField('INVALID_POLICY_DEFINITION', problem));
  }
  const { commitment = DEFAULT_RULES.commitment } = value;
  const rules = readRules(known, { commitment });
  return rules.ok ? success({ ...value, ...rules.value }) : rules;
}
