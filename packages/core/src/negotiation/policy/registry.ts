import { VersionedMap } from '../../collections/versioned-map.js';
import type { Decider, Decision } from '../../decision.js';
import { canonicalJson, sameJson } from '../../json/canonical.js';
import { quote } from '../../json/describe.js';
import type { JsonValue } from '../../json/json.js';
import type { RecordContent } from '../../record/record.js';
import { refuseToFold } from '../../record/refuse-to-fold.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import { PROPOSAL_MODE } from '../wire/macp-envelope.js';
import { BUILT_IN_POLICIES, type BuiltInPolicy, policyIdOf } from './built-in.js';
import { type PolicyDescriptor, parsePolicyDescriptor } from './descriptor.js';
import type { PolicyRules } from './rules.js';

/** A policy that was registered; it keeps its id for ever, also after it is unregistered (N-13). */
export interface RegisteredPolicy {
  readonly descriptor: PolicyDescriptor;
  readonly rules: PolicyRules;
  /** False once it was unregistered: no new session can name it. */
  readonly available: boolean;
}

/** All policies ever registered, by id. The built-in ones are not among them. */
export type PolicyRegistry = VersionedMap<RegisteredPolicy>;

/** What can be asked of the registry; a descriptor is whatever the client sent. */
export type PolicyCommand =
  | { readonly type: 'register'; readonly principal: string; readonly descriptor: JsonValue }
  | { readonly type: 'unregister'; readonly principal: string; readonly policyId: string };

/** A policy can be named from now on. */
export type PolicyRegistered = RecordContent & {
  readonly type: 'policy_registered';
  readonly envelope: PolicyDescriptor;
  /** The rules with everything filled in that the definition left out. */
  readonly facts: { readonly rules: PolicyRules };
};

/** A policy cannot be named by new sessions any more. */
export type PolicyUnregistered = RecordContent & {
  readonly type: 'policy_unregistered';
  readonly envelope: { readonly policy_id: string };
};

/** Everything that can happen to the registry. */
export type PolicyRecord = PolicyRegistered | PolicyUnregistered;

/**
 * Registers and unregisters policies (N-13). A policy never changes under its id: registering the
 * same again makes no difference, registering other rules under the id is refused with
 * `INVALID_POLICY_DEFINITION`, even after the first was unregistered. Sessions keep the rules they
 * were started with, whatever happens here. Who may manage policies is for the caller to check.
 */
export const policyRegistry: Decider<PolicyRegistry, PolicyCommand, PolicyRecord, { readonly now: number }> =
  {
    initial: VersionedMap.empty(),
    decide: (state, command, { now }) =>
      command.type === 'register' ? register(state, command, now) : unregister(state, command, now),
    evolve,
  };

/** Finds the rules of a `policy_version`; nothing for one that no new session may name. */
export type PolicyLookup = (policyVersion: string) => PolicyRules | undefined;

/** The lookup over the built-in policies and those registered. */
export function lookUpIn(registry: PolicyRegistry): PolicyLookup {
  return (policyVersion) => {
    const id = policyIdOf(policyVersion);
    const registered = registry.get(id);
    return BUILT_IN_POLICIES.get(id)?.rules ?? (registered?.available ? registered.rules : undefined);
  };
}

/** Every policy that a session may name, built-in ones first, each sorted by id. */
export function listPolicies(registry: PolicyRegistry): readonly PolicyDescriptor[] {
  const builtIn = [...BUILT_IN_POLICIES.values()].map(describeBuiltIn);
  const registered = [...registry.values()].filter(({ available }) => available);
  return [...builtIn, ...registered.map(({ descriptor }) => descriptor).sort(byId)];
}

/**
 * A policy that a session may name, or might have: one that was unregistered is still told, since sessions keep
 * the rules they were started with and those who follow them have to know them (N-13). Nothing for an id that
 * was never registered.
 */
export function findPolicy(registry: PolicyRegistry, policyId: string): PolicyDescriptor | undefined {
  const builtIn = BUILT_IN_POLICIES.get(policyId);
  return builtIn === undefined ? registry.get(policyId)?.descriptor : describeBuiltIn(builtIn);
}

function describeBuiltIn({ id, description, rules }: BuiltInPolicy): PolicyDescriptor {
  return {
    policy_id: id,
    mode: PROPOSAL_MODE,
    description,
    rules: canonicalJson(rules),
    schema_version: 1,
    registered_at_unix_ms: 0,
  };
}

function byId(left: PolicyDescriptor, right: PolicyDescriptor): number {
  return left.policy_id < right.policy_id ? -1 : 1;
}

function register(
  state: PolicyRegistry,
  command: PolicyCommand & { readonly type: 'register' },
  now: number,
): Decision<PolicyRecord> {
  const parsed = parsePolicyDescriptor(command.descriptor, now);
  if (!parsed.ok) return { refused: parsed.refusal };
  const { descriptor, rules } = parsed.value;
  const name = quote(descriptor.policy_id);
  if (BUILT_IN_POLICIES.has(descriptor.policy_id)) return { refused: refuseBuiltIn(descriptor.policy_id) };
  const earlier = state.get(descriptor.policy_id);
  if (earlier !== undefined && !sameDefinition(earlier.descriptor, descriptor)) {
    const what = `${name} is already registered with other rules and cannot change; choose another id.`;
    return { refused: refuse('INVALID_POLICY_DEFINITION', what, { field: 'policy_id' }) };
  }
  if (earlier?.available) return { unchanged: 'duplicate' };
  return {
    records: [
      {
        type: 'policy_registered',
        time: now,
        principal: command.principal,
        envelope: descriptor,
        facts: { rules },
      },
    ],
  };
}

function unregister(
  state: PolicyRegistry,
  command: PolicyCommand & { readonly type: 'unregister' },
  now: number,
): Decision<PolicyRecord> {
  const { policyId, principal } = command;
  if (BUILT_IN_POLICIES.has(policyId)) return { refused: refuseBuiltIn(policyId) };
  if (!state.get(policyId)?.available) return { refused: refuseUnknownPolicy(policyId) };
  return {
    records: [{ type: 'policy_unregistered', time: now, principal, envelope: { policy_id: policyId } }],
  };
}

/** @throws Error for a record of a type that this version does not know */
function evolve(state: PolicyRegistry, record: PolicyRecord): PolicyRegistry {
  switch (record.type) {
    case 'policy_registered': {
      const { envelope, facts } = record;
      return state.set(envelope.policy_id, { descriptor: envelope, rules: facts.rules, available: true });
    }
    case 'policy_unregistered': {
      const id = record.envelope.policy_id;
      const earlier = state.get(id);
      return earlier === undefined ? state : state.set(id, { ...earlier, available: false });
    }
    default:
      return refuseToFold('record', (record as RecordContent).type);
  }
}

/** Whether two descriptors say the same; when they were registered does not matter. */
function sameDefinition(left: PolicyDescriptor, right: PolicyDescriptor): boolean {
  return sameJson({ ...left, registered_at_unix_ms: 0 }, { ...right, registered_at_unix_ms: 0 });
}

function refuseBuiltIn(policyId: string): Refusal {
  const what = `${quote(policyId)} is built in; it can be neither registered nor removed.`;
  return refuse('INVALID_POLICY_DEFINITION', what, { field: 'policy_id', found: quote(policyId) });
}

/** The refusal for a policy that nobody registered, or that was removed. */
export function refuseUnknownPolicy(policyId: string): Refusal {
  return refuse('UNKNOWN_POLICY_VERSION', `There is no policy ${quote(policyId)}.`, {
    field: 'policy_version',
    found: quote(policyId),
    expected: 'a built-in or registered policy',
  });
}
