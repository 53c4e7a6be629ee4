import { VersionedMap } from '../../collections/versioned-map.js';
import type { Decider, Decision } from '../../decision.js';
import { digestJson } from '../../hash/sha256.js';
import { canonicalJson } from '../../json/canonical.js';
import { defined } from '../../json/defined.js';
import { quote } from '../../json/describe.js';
import type { JsonValue } from '../../json/json.js';
import { parseJson } from '../../json/parse.js';
import { type RecordContent, throwUnsupported } from '../../record/record.js';
import { failure, type Refusal, type Result, refuse, success } from '../../refusal/refusal.js';
import type { Mode } from '../modes/mode.js';
import { MODES, policiesOf } from '../modes/registry.js';
import { refuseField } from '../wire/refuse-field.js';
import { checkRoom, descriptorBytes } from '../wire/registry-bounds.js';
import {
  DEFAULT_POLICY,
  type DefaultPolicy,
  findBuiltIn,
  policyIdOf,
  RESERVED_POLICIES,
} from './built-in.js';
import { EVERY_MODE, type PolicyDescriptor, parsePolicyDescriptor } from './descriptor.js';
import type { BuiltInPolicy, ModePolicies, PolicyRules } from './policy-rules.js';

/** A registered policy. */
export interface RegisteredPolicy {
  readonly descriptor: PolicyDescriptor;
  readonly rules: PolicyRules;
  /** The size of the descriptor, in bytes of JSON. */
  readonly bytes: number;
}

/** Everything registered so far, without the built-in policies. */
export interface PolicyRegistry {
  /** The policies that a session may name, by id. */
  readonly available: VersionedMap<RegisteredPolicy>;
  /** By id, the digest of every definition ever registered: an id never changes its meaning (N-13). */
  readonly digests: VersionedMap<string>;
}

/**
 * The maximum total size of the available policies, in bytes of JSON, so that the list fits into one
 * answer for a gRPC client that reads four megabytes (I-7).
 */
export const MAX_POLICIES_BYTES = 3_145_728;

/** The commands of the registry; a descriptor is whatever the client sent. */
export type PolicyCommand =
  | { readonly type: 'register'; readonly principal: string; readonly descriptor: JsonValue }
  | { readonly type: 'unregister'; readonly principal: string; readonly policyId: string };

/** A policy was registered. */
export type PolicyRegistered = RecordContent & {
  readonly type: 'policy_registered';
  readonly envelope: PolicyDescriptor;
  /** The rules with defaults filled in. */
  readonly facts: { readonly rules: PolicyRules };
};

/** A policy was unregistered: new sessions cannot name it. */
export type PolicyUnregistered = RecordContent & {
  readonly type: 'policy_unregistered';
  readonly envelope: { readonly policy_id: string };
};

/** Everything that can happen to the registry. */
export type PolicyRecord = PolicyRegistered | PolicyUnregistered;

/**
 * Registers and unregisters policies (N-13). A policy never changes under its id: registering an
 * existing one is refused with `INVALID_POLICY_DEFINITION`, and so are different rules under its id
 * even after it was unregistered, and one beyond the limit. Sessions keep the rules they were started
 * with, whatever happens here. The caller checks who may manage policies.
 */
export const policyRegistry: Decider<PolicyRegistry, PolicyCommand, PolicyRecord, { readonly now: number }> =
  {
    initial: { available: VersionedMap.empty(), digests: VersionedMap.empty() },
    decide: (state, command, { now }) =>
      command.type === 'register' ? register(state, command, now) : unregister(state, command, now),
    evolve,
  };

/** The policy of a session: its id, which the session's record keeps, and its rules. */
export interface KnownPolicy {
  readonly id: string;
  readonly rules: PolicyRules;
  /** For a registered policy: the id of the built-in one whose rules apply where it says nothing. */
  readonly defaultsFrom?: string;
}

/** Finds the policy of a `policy_version` for new sessions of a mode; `undefined` if there is none for any mode. */
export type PolicyLookup = (policyVersion: string, mode: string) => KnownPolicy | OtherPolicy | undefined;

/** A policy that is for other modes. */
export type OtherPolicy = { readonly id: string; readonly rules?: never };

/** The lookup over built-in and registered policies. */
export function lookUpIn(registry: PolicyRegistry, defaultPolicy: DefaultPolicy = 'guide'): PolicyLookup {
  return (policyVersion, name) => {
    const policies = policiesOf(name);
    if (policies === undefined) return undefined;
    const mode = { name, policies };
    const id = policyIdOf(policyVersion);
    const builtIn = findBuiltIn(mode, id, defaultPolicy);
    // The session's record names the policy that the default stands for.
    if (builtIn !== undefined) return { id: builtIn.id, rules: builtIn.rules };
    const registered = registry.available.get(id);
    if (registered !== undefined && !id.startsWith(RESERVED_POLICIES))
      return resolve(mode, registered.descriptor, defaultPolicy) ?? { id };
    return modeWithBuiltIn(id) === undefined ? undefined : { id };
  };
}

/** A mode, as far as policies are concerned. */
interface PolicedMode {
  readonly name: string;
  readonly policies: ModePolicies;
}

/**
 * A registered policy for a session of a mode; `undefined` for a policy of another mode. What it leaves
 * open follows the default policy of today, not that of the day when it was registered.
 */
function resolve(
  mode: PolicedMode,
  { policy_id: id, mode: name, rules: definition, schema_version: schemaVersion }: PolicyDescriptor,
  defaultPolicy: DefaultPolicy,
): KnownPolicy | undefined {
  if (name !== mode.name && name !== EVERY_MODE) return undefined;
  const { id: defaultsFrom, rules: defaults } = findBuiltIn(mode, DEFAULT_POLICY, defaultPolicy) ?? {};
  const json = parseJson(definition);
  const read = json.ok ? mode.policies.parse(json.value, defined({ defaults, schemaVersion })) : json;
  return read.ok ? { id, rules: read.value, ...defined({ defaultsFrom }) } : undefined;
}

/**
 * A policy that is not registered, for a session of a mode; its id may be anyone's. Refuses with
 * `INVALID_POLICY_DEFINITION`.
 *
 * @param descriptor - whatever the client sent
 */
export function readCandidate(
  descriptor: JsonValue,
  modeName: string,
  defaultPolicy: DefaultPolicy = 'guide',
): Result<KnownPolicy> {
  const parsed = parsePolicyDescriptor(descriptor, 0);
  if (!parsed.ok) return parsed;
  const policies = policiesOf(modeName) ?? throwUnsupported('mode', modeName);
  const mode = { name: modeName, policies };
  const policy = resolve(mode, parsed.value.descriptor, defaultPolicy);
  if (policy !== undefined) return success(policy);
  const found = quote(parsed.value.descriptor.mode);
  const expected = `${modeName}, or ${EVERY_MODE} with rules for that mode`;
  return failure(refuseField('INVALID_POLICY_DEFINITION', { field: 'mode', found, expected }));
}

/** Every policy that a session may name, built-in ones first, each sorted by id. */
export function listPolicies(
  { available }: PolicyRegistry,
  defaultPolicy: DefaultPolicy = 'guide',
): readonly PolicyDescriptor[] {
  const builtIn = [...MODES.values()].flatMap((mode) =>
    Array.from(mode.policies.builtIn.keys(), (id) => describeBuiltIn(mode, id, defaultPolicy)),
  );
  return [...builtIn, ...[...available.values()].map(({ descriptor }) => descriptor).sort(byId)];
}

/** A policy that a session may name now. An id that several modes have built in gives that of the first. */
export function findPolicy(
  { available }: PolicyRegistry,
  policyId: string,
  defaultPolicy: DefaultPolicy = 'guide',
): PolicyDescriptor | undefined {
  const mode = modeWithBuiltIn(policyId);
  if (mode !== undefined) return describeBuiltIn(mode, policyId, defaultPolicy);
  return available.get(policyId)?.descriptor;
}

/** Under its own name, the default policy is described as the policy it stands for. */
function describeBuiltIn(mode: Mode, id: string, defaultPolicy: DefaultPolicy): PolicyDescriptor {
  const { description, rules } = findBuiltIn(mode, id, defaultPolicy) as BuiltInPolicy;
  return {
    policy_id: id,
    mode: mode.descriptor.mode,
    description,
    rules: canonicalJson(rules),
    schema_version: 1,
    registered_at_unix_ms: 0,
  };
}

function modeWithBuiltIn(policyId: string): Mode | undefined {
  return [...MODES.values()].find(({ policies }) => policies.builtIn.has(policyId));
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
  if (modeWithBuiltIn(descriptor.policy_id) !== undefined)
    return { refused: refuseBuiltIn(descriptor.policy_id) };
  if (descriptor.policy_id.startsWith(RESERVED_POLICIES))
    return { refused: refuseReserved(descriptor.policy_id) };
  const earlier = state.digests.get(descriptor.policy_id);
  if (earlier !== undefined && earlier !== digestOf(descriptor)) {
    const what = `${name} is already registered with other rules. A policy cannot change; choose another id.`;
    return { refused: refuse('INVALID_POLICY_DEFINITION', what, { field: 'policy_id' }) };
  }
  if (state.available.has(descriptor.policy_id)) {
    const what = `${name} is already registered.`;
    return {
      refused: refuse('INVALID_POLICY_DEFINITION', what, { field: 'policy_id', reason: 'registered' }),
    };
  }
  const registered = [...state.available.values()].map(({ bytes }) => bytes);
  const load = { field: 'policy_id', registered, mostBytes: MAX_POLICIES_BYTES };
  const tooMuch = checkRoom(load, descriptorBytes(descriptor));
  if (tooMuch !== undefined) return { refused: refuseField('INVALID_POLICY_DEFINITION', tooMuch) };
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
  if (modeWithBuiltIn(policyId) !== undefined) return { refused: refuseBuiltIn(policyId) };
  if (!state.available.has(policyId)) return { refused: refuseUnknownPolicy(policyId) };
  return {
    records: [{ type: 'policy_unregistered', time: now, principal, envelope: { policy_id: policyId } }],
  };
}

/** @throws Error for an unknown record type */
function evolve(state: PolicyRegistry, record: PolicyRecord): PolicyRegistry {
  switch (record.type) {
    case 'policy_registered': {
      const { envelope: descriptor, facts } = record;
      const { policy_id: id } = descriptor;
      const policy = { descriptor, rules: facts.rules, bytes: descriptorBytes(descriptor) };
      return {
        available: state.available.set(id, policy),
        digests: state.digests.set(id, digestOf(descriptor)),
      };
    }
    case 'policy_unregistered': {
      const id = record.envelope.policy_id;
      return state.available.has(id) ? { ...state, available: state.available.delete(id) } : state;
    }
    default:
      return throwUnsupported('record', (record satisfies never as RecordContent).type);
  }
}

/** Equal for two equal descriptors, whenever they were registered. */
function digestOf(descriptor: PolicyDescriptor): string {
  return digestJson({ ...descriptor, registered_at_unix_ms: 0 });
}

function refuseBuiltIn(policyId: string): Refusal {
  const what = `${quote(policyId)} is built in and cannot be registered or removed.`;
  return refuse('INVALID_POLICY_DEFINITION', what, { field: 'policy_id', found: quote(policyId) });
}

function refuseReserved(policyId: string): Refusal {
  return refuseField('INVALID_POLICY_DEFINITION', {
    field: 'policy_id',
    found: quote(policyId),
    expected: `an id that does not begin with ${RESERVED_POLICIES}, which is reserved`,
  });
}

/** The refusal for a policy that was never registered, or was removed. */
export function refuseUnknownPolicy(policyId: string): Refusal {
  return refuse('UNKNOWN_POLICY_VERSION', `Policy ${quote(policyId)} not found.`, {
    field: 'policy_version',
    found: quote(policyId),
    expected: 'a built-in or registered policy',
  });
}
