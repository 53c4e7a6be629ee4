import {
  type Capability,
  type CapabilitySource,
  grants,
  parseCapability,
} from '../../capability/capability.js';
import {
  type CompiledCapabilities,
  candidates,
  compileCapabilities,
} from '../../capability/compiled-capabilities.js';
import { splitKind } from '../../capability/kind-pattern.js';
import { completeKind } from '../../envelope/kind.js';
import type { JsonObject } from '../../json/json.js';

/** One step of what happens when nobody decides (O-33): others are asked, or it is declined. Times in milliseconds. */
export type EscalationStep = {
  /** Counted from the proposal. */
  readonly after: number;
  /** Who may approve from then on, besides those before: names and `role:…`. Nobody: it is declined. */
  readonly to: readonly string[];
};

/** The calls for which somebody's approval counts, and whose (O-28). Data: it stands in the configuration as it is. */
export type ReviewEntry = {
  /** What it is called in records and refusals. */
  readonly name: string;
  /** Which calls it is about: a pattern over the request that would run. */
  readonly call: CapabilitySource;
  /** Whose proposals it is about: names and `role:…`; nobody in particular means everybody's. */
  readonly proposers: readonly string[];
  /** How many different people must approve the same params. */
  readonly approvals: number;
  /** Whose approval counts: names and `role:…`; nobody in particular means everybody who could make the request. */
  readonly from: readonly string[];
  /** Whether one rejection by somebody whose approval counts ends it (O-31). */
  readonly veto: boolean;
  readonly escalate: readonly EscalationStep[];
};

/** An ordered list; the first entry that matches counts. */
export type ReviewPolicy = readonly ReviewEntry[];

/** Somebody, as far as policies look at people. */
export interface Person {
  readonly name: string;
  readonly roles?: readonly string[] | undefined;
}

/** A call that may run. */
export interface ReviewedCall {
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly proposer: Person;
}

const ROLE = 'role:';

/** The first entry of a policy that a call matches; nothing when none does, or there is no policy. */
export function entryFor(policy: ReviewPolicy | undefined, call: ReviewedCall): ReviewEntry | undefined {
  if (policy === undefined || policy.length === 0) return undefined;
  const payload: JsonObject = { method: call.method, params: call.params };
  const kind = completeKind(`mcp.request.${call.method}`, payload);
  const parts = splitKind(kind);
  const { places, index } = compiled(policy);
  let first = policy.length;
  // Only those that begin like the kind are looked at, and they come in no particular order.
  for (const capability of candidates(index, kind)) {
    const place = places.get(capability) ?? first;
    if (place >= first || !grants(capability, parts, payload)) continue;
    if (isNamed(policy[place]?.proposers ?? [], call.proposer)) first = place;
  }
  return policy[first];
}

/** Whether somebody is in a list of names and roles; a list of nobody in particular has everybody in it. */
export function isNamed(list: readonly string[], { name, roles = [] }: Person): boolean {
  if (list.length === 0) return true;
  return list.some((each) =>
    each.startsWith(ROLE) ? roles.includes(each.slice(ROLE.length)) : each === name,
  );
}

/** True for a list that only names can be in, so that it is known who is left. */
export function isClosed(list: readonly string[]): boolean {
  return list.length > 0 && !list.some((each) => each.startsWith(ROLE));
}

interface Compiled {
  readonly index: CompiledCapabilities;
  /** Which entry each of them belongs to. */
  readonly places: ReadonlyMap<Capability, number>;
}

const compiledPolicies = new WeakMap<ReviewPolicy, Compiled>();

/** Reads the patterns of a policy once. A host checks them before; one that cannot be read is a fault of the host. */
function compiled(policy: ReviewPolicy): Compiled {
  const known = compiledPolicies.get(policy);
  if (known !== undefined) return known;
  const capabilities = policy.map(({ name, call }) => {
    const parsed = parseCapability(call);
    if (!parsed.ok) throw new Error(`review entry ${name}: ${parsed.refusal.message}`);
    return parsed.value;
  });
  const places = new Map(capabilities.map((capability, place) => [capability, place]));
  const made = { index: compileCapabilities(capabilities), places };
  compiledPolicies.set(policy, made);
  return made;
}
