import { canonicalJson, isJsonObject, type JsonObject, parseJson } from '@proffer/core/json';
import {
  EVERY_MODE,
  findBuiltIn,
  type PolicyDescriptor,
  type PolicyRules,
  PROPOSAL_MODE,
  policiesOf,
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
  /** The version of the rules, 1 to 3 (N-16). Default 1. */
  readonly schemaVersion?: number;
}

/** A definition in its wire form. */
export function completePolicy({
  policyId,
  rules,
  description = '',
  mode = PROPOSAL_MODE,
  schemaVersion = 1,
}: PolicyDefinition): PolicyDescriptor {
  return {
    policy_id: policyId,
    mode,
    description,
    rules: canonicalJson(rules),
    schema_version: schemaVersion,
    registered_at_unix_ms: 0,
  };
}

/** The rules of a policy that a mode has built in. */
export function builtInRules(policyId: string, mode: string): PolicyRules | undefined {
  const policies = policiesOf(mode);
  return policies === undefined ? undefined : findBuiltIn({ policies }, policyId)?.rules;
}

/**
 * The rules in a descriptor, with everything filled in; of a mode that this version does not know, as they are. Throws a
 * MacpError for unknown rules.
 *
 * @param forMode - the mode that reads those of a policy for every mode. Default Proposal Mode
 */
export function rulesIn(
  { mode, rules, schema_version: schemaVersion }: PolicyDescriptor,
  forMode: string = PROPOSAL_MODE,
): PolicyRules {
  const json = parseJson(rules);
  const reader = policiesOf(mode === EVERY_MODE ? forMode : mode);
  if (json.ok && reader === undefined && isJsonObject(json.value)) return json.value;
  const read = json.ok && reader !== undefined ? reader.parse(json.value, { schemaVersion }) : json;
  if (read.ok && isJsonObject(read.value)) return read.value;
  const { message = 'The rules are not an object.', details = {} } = read.ok ? {} : read.refusal;
  throw new MacpError('INVALID_POLICY_DEFINITION', message, { details });
}
