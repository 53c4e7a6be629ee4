import type { JsonObject, JsonValue } from '../../json/json.js';
import type { Result } from '../../refusal/refusal.js';

/** The rules of a negotiation as data; its mode knows what they say. A session keeps the ones it was started with (N-13). */
export type PolicyRules = JsonObject;

/** A policy that is always there and cannot be registered or removed (N-13). */
export type BuiltInPolicy<Rules extends PolicyRules = PolicyRules> = {
  readonly id: string;
  readonly description: string;
  readonly rules: Rules;
};

/** The policies of one mode. */
export interface ModePolicies<Rules extends PolicyRules = PolicyRules> {
  /** By id. `policy.default` is one of them. */
  readonly builtIn: ReadonlyMap<string, BuiltInPolicy<Rules>>;
  /**
   * Reads the rules of a policy that somebody wants to register, and fills in what they leave out. Refuses with
   * `INVALID_POLICY_DEFINITION`, naming the path.
   */
  parse(value: JsonValue): Result<Rules>;
}
