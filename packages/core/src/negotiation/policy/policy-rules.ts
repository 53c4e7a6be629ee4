import type { JsonObject, JsonValue } from '../../json/json.js';
import type { Result } from '../../refusal/refusal.js';

/**
 * The rules of a negotiation as data; only its mode interprets them. A session keeps the ones it was
 * started with (N-13).
 */
export type PolicyRules = JsonObject;

/** A policy that always exists and cannot be registered or removed (N-13). */
export type BuiltInPolicy<Rules extends PolicyRules = PolicyRules> = {
  readonly id: string;
  readonly description: string;
  readonly rules: Rules;
};

/** What the rules of a policy are read with. */
export interface RulesContext<Rules extends PolicyRules = PolicyRules> {
  /** The rules that the policy leaves open. Default: those of the mode's `policy.default`. */
  readonly defaults?: Rules;
  /** The version of the rules that the policy declares. Default 1. */
  readonly schemaVersion?: number;
}

/** The policies of one mode. */
export interface ModePolicies<Rules extends PolicyRules = PolicyRules> {
  /** By id, including `policy.default`. */
  readonly builtIn: ReadonlyMap<string, BuiltInPolicy<Rules>>;
  /**
   * Parses the rules of a policy to register, and fills in defaults. Refuses with
   * `INVALID_POLICY_DEFINITION`, naming the path.
   */
  parse(value: JsonValue, context?: RulesContext<Rules>): Result<Rules>;
}
