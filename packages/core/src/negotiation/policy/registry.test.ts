import { describe, expect, it } from 'vitest';
import type { Decision } from '../../decision.js';
import { replay } from '../../decision.js';
import { canonicalJson } from '../../json/canonical.js';
import type { JsonObject, JsonValue } from '../../json/json.js';
import { PROPOSAL_MODE } from '../modes/proposal/name.js';
import { parseProposalRules } from '../modes/proposal/parse-rules.js';
import { DEFAULT_PROPOSAL_RULES, PROPOSAL_POLICIES } from '../modes/proposal/policies.js';
import {
  findPolicy,
  listPolicies,
  lookUpIn,
  type PolicyCommand,
  type PolicyRecord,
  type PolicyRegistry,
  policyRegistry,
} from './registry.js';

const NOW = 1_700_000_000_000;

function descriptor(rules: JsonValue | string, change: JsonObject = {}): JsonObject {
  return {
    policy_id: 'policy.ours',
    mode: 'macp.mode.proposal.v1',
    description: 'ours',
    rules: typeof rules === 'string' ? rules : JSON.stringify(rules),
    schema_version: 1,
    ...change,
  };
}

function register(rules: JsonValue, change: JsonObject = {}): PolicyCommand {
  return { type: 'register', principal: 'operator', descriptor: descriptor(rules, change) };
}

const unregister: PolicyCommand = { type: 'unregister', principal: 'operator', policyId: 'policy.ours' };

function given(...commands: readonly PolicyCommand[]): PolicyRegistry {
  let state = policyRegistry.initial;
  for (const command of commands) state = replay(policyRegistry, when(state, command).records ?? [], state);
  return state;
}

function when(state: PolicyRegistry, command: PolicyCommand): Decision<PolicyRecord> {
  return policyRegistry.decide(state, command, { now: NOW });
}

/** The policies of Proposal Mode. */
function listed(registry: PolicyRegistry) {
  return listPolicies(registry).filter(({ mode }) => mode === PROPOSAL_MODE);
}

describe('registering', () => {
  it('N-13: fills in missing rules from policy.default', () => {
    const registry = given(register({ counter_proposal: { max_rounds: 3 } }));
    expect(lookUpIn(registry)('policy.ours', PROPOSAL_MODE)?.rules).toEqual({
      ...DEFAULT_PROPOSAL_RULES,
      counter_proposal: { max_rounds: 3, retires_original: true },
    });
    expect(listPolicies(registry).at(-1)).toEqual({
      ...descriptor('{"counter_proposal":{"max_rounds":3}}'),
      registered_at_unix_ms: NOW,
    });
  });

  it('N-13: leaves what it does not say to the default policy that is in force, and says which', () => {
    const registry = given(register({ acceptance: { criterion: 'initiator' } }));
    const rules = (rest: typeof DEFAULT_PROPOSAL_RULES) => ({
      ...rest,
      acceptance: { ...rest.acceptance, criterion: 'initiator' },
    });
    const rfc = PROPOSAL_POLICIES.get('policy.rfc-0008')?.rules ?? DEFAULT_PROPOSAL_RULES;
    expect(lookUpIn(registry, 'guide')('policy.ours', PROPOSAL_MODE)).toEqual({
      id: 'policy.ours',
      rules: rules(DEFAULT_PROPOSAL_RULES),
      defaultsFrom: 'policy.default',
    });
    expect(lookUpIn(registry, 'rfc-0008')('policy.ours', PROPOSAL_MODE)).toEqual({
      id: 'policy.ours',
      rules: rules(rfc),
      defaultsFrom: 'policy.rfc-0008',
    });
  });

  it('N-13: lists built-in policies first, then registered ones by id', () => {
    const registry = given(register({}, { policy_id: 'policy.b' }), register({}, { policy_id: 'policy.a' }));
    expect(listed(registry).map(({ policy_id }) => policy_id)).toEqual([
      ...PROPOSAL_POLICIES.keys(),
      'policy.a',
      'policy.b',
    ]);
  });

  it('N-13: accepts every rule that a policy may set', () => {
    const rules = {
      acceptance: { criterion: 'counterparty' },
      counter_proposal: { max_rounds: 0, retires_original: false },
      rejection: { terminal_on_any_reject: true, authority: 'initiator_only' },
      withdrawal: { authority: 'author' },
      commitment: { authority: 'designated_role', designated_roles: ['notary'] },
    };
    expect(
      lookUpIn(given(register(rules, { mode: '*' })))('policy.ours', PROPOSAL_MODE)?.rules,
    ).toMatchObject(rules);
  });

  it.each([
    ['an unknown section', { voting: {} }, 'rules.voting'],
    ['an unknown key', { acceptance: { criteria: 'initiator' } }, 'rules.acceptance.criteria'],
    ['a key like a built-in property', { toString: {} }, 'rules.toString'],
    ['an unknown criterion', { acceptance: { criterion: 'majority' } }, 'rules.acceptance.criterion'],
    ['a negative limit', { counter_proposal: { max_rounds: -1 } }, 'rules.counter_proposal.max_rounds'],
    ['a limit as text', { counter_proposal: { max_rounds: '3' } }, 'rules.counter_proposal.max_rounds'],
    [
      'a flag as text',
      { rejection: { terminal_on_any_reject: 'no' } },
      'rules.rejection.terminal_on_any_reject',
    ],
    [
      'a flag that is null',
      { counter_proposal: { retires_original: null } },
      'rules.counter_proposal.retires_original',
    ],
    ['an unknown authority', { withdrawal: { authority: 'proposer' } }, 'rules.withdrawal.authority'],
    [
      'roles that are not a list',
      { commitment: { designated_roles: 'notary' } },
      'rules.commitment.designated_roles',
    ],
    [
      'a blank role',
      { commitment: { designated_roles: ['notary', ''] } },
      'rules.commitment.designated_roles[1]',
    ],
    [
      'an invisible role',
      { commitment: { designated_roles: ['\u{200b}'] } },
      'rules.commitment.designated_roles[0]',
    ],
    ['empty roles', { commitment: { authority: 'designated_role' } }, 'rules.commitment.designated_roles'],
    ['a section that is a list', { acceptance: [] }, 'rules.acceptance'],
    ['rules that are a list', [], 'rules'],
    ['rules that are not JSON', '{', 'rules'],
    ['rules with a duplicate key', '{"acceptance":{},"acceptance":{}}', 'rules'],
    ['no rules', '', 'rules'],
  ])('N-13: %s is refused, naming the path', (_, rules, field) => {
    const { refused } = when(policyRegistry.initial, register(rules));
    expect(refused?.code).toBe('INVALID_POLICY_DEFINITION');
    expect(refused?.details).toMatchObject({ field });
  });

  it.each([
    ['no id', { policy_id: ' ' }, 'policy_id'],
    ['an id that looks like another', { policy_id: 'policy.default\u{200b}' }, 'policy_id'],
    ['an id with a leading space', { policy_id: ' policy.default' }, 'policy_id'],
    ['an id that is too long', { policy_id: 'p'.repeat(257) }, 'policy_id'],
    ['an unsupported mode', { mode: 'macp.mode.auction.v1' }, 'mode'],
    ['a reserved id', { policy_id: 'policy.std.plurality' }, 'policy_id'],
    ['a reserved id that is built in', { policy_id: 'policy.std.majority' }, 'policy_id'],
    ['a future schema', { schema_version: 4 }, 'schema_version'],
    ['a description that is not text', { description: 7 }, 'description'],
  ])('N-13: %s is refused', (_, change, field) => {
    const { refused } = when(policyRegistry.initial, register({}, change));
    expect(refused).toMatchObject({ code: 'INVALID_POLICY_DEFINITION', details: { field } });
  });

  it('N-13: a policy never changes under its id, even after it was removed', () => {
    const first = register({ acceptance: { criterion: 'initiator' } });
    const other = register({ acceptance: { criterion: 'counterparty' } });
    const sameWithSpaces = register(' { "acceptance" : { "criterion" : "initiator" } } ');
    const registry = given(first);
    expect(when(registry, sameWithSpaces).refused?.message).toContain('already registered');
    expect(when(registry, other).refused?.code).toBe('INVALID_POLICY_DEFINITION');
    const removed = given(first, unregister);
    expect(lookUpIn(removed)('policy.ours', PROPOSAL_MODE)).toBeUndefined();
    expect(listed(removed)).toHaveLength(PROPOSAL_POLICIES.size);
    expect(when(removed, unregister).refused?.code).toBe('UNKNOWN_POLICY_VERSION');
    expect(when(removed, other).refused?.code).toBe('INVALID_POLICY_DEFINITION');
    expect(lookUpIn(given(first, unregister, first))('policy.ours', PROPOSAL_MODE)?.rules).toMatchObject({
      acceptance: { criterion: 'initiator' },
    });
  });
});

describe('replaying the registry', () => {
  it('I-3, N-13: stops at an unknown record type', () => {
    const [record] = when(given(register({})), unregister).records ?? [];
    const strange = { ...record, type: 'policy_renamed' } as unknown as PolicyRecord;
    expect(() => replay(policyRegistry, [strange], given(register({})))).toThrow(
      'This version does not support the record type "policy_renamed": read the journal with a newer one.',
    );
  });
});

describe('built-in policies', () => {
  it.each([...PROPOSAL_POLICIES.keys()])('N-13: %s cannot be registered or removed', (policyId) => {
    const { initial } = policyRegistry;
    expect(when(initial, register({}, { policy_id: policyId })).refused?.code).toBe(
      'INVALID_POLICY_DEFINITION',
    );
    expect(when(initial, { type: 'unregister', principal: 'operator', policyId }).refused?.code).toBe(
      'INVALID_POLICY_DEFINITION',
    );
    expect(lookUpIn(initial)(policyId, PROPOSAL_MODE)?.rules).toBe(PROPOSAL_POLICIES.get(policyId)?.rules);
  });

  it('N-13: are data that anyone could have registered under another id', () => {
    for (const { rules } of PROPOSAL_POLICIES.values()) {
      expect(parseProposalRules(rules)).toEqual({ ok: true, value: rules });
    }
    expect(listed(policyRegistry.initial).map(({ policy_id, rules }) => [policy_id, rules])).toEqual(
      [...PROPOSAL_POLICIES.values()].map(({ id, rules }) => [id, canonicalJson(rules)]),
    );
  });

  it('N-13: a reserved id that an older version registered names nothing', () => {
    const old = given(register({}));
    const [id, policy] = [...old.available][0] ?? [];
    if (id === undefined || policy === undefined) throw new Error('It was registered.');
    const registry = { ...old, available: old.available.set('policy.std.ours', policy) };
    expect(lookUpIn(registry)('policy.ours', PROPOSAL_MODE)?.id).toBe('policy.ours');
    expect(lookUpIn(registry)('policy.std.ours', PROPOSAL_MODE)).toBeUndefined();
  });

  it('N-13: an empty policy version is policy.default; an unknown one is nothing', () => {
    const lookUp = lookUpIn(policyRegistry.initial);
    expect(lookUp('', PROPOSAL_MODE)).toEqual({ id: 'policy.default', rules: DEFAULT_PROPOSAL_RULES });
    expect(lookUp('policy.unknown', PROPOSAL_MODE)).toBeUndefined();
  });

  it("N-13: if the default is the RFC's, a session that names none or the default gets that, and the guide's has its own name", () => {
    const lookUp = lookUpIn(policyRegistry.initial, 'rfc-0008');
    const rules = PROPOSAL_POLICIES.get('policy.rfc-0008')?.rules;
    for (const named of ['', 'policy.default', 'policy.rfc-0008']) {
      expect(lookUp(named, PROPOSAL_MODE)).toEqual({ id: 'policy.rfc-0008', rules });
    }
    expect(lookUp('policy.guide', PROPOSAL_MODE)).toEqual({
      id: 'policy.guide',
      rules: DEFAULT_PROPOSAL_RULES,
    });
    const described = findPolicy(policyRegistry.initial, 'policy.default', 'rfc-0008');
    expect(described).toMatchObject({ policy_id: 'policy.default', rules: canonicalJson(rules ?? {}) });
  });

  it('N-13: keys that start with _ or $ are annotations, at every level', () => {
    const annotated = { _note: 'ours', $schema: 'x', acceptance: { criterion: 'initiator', _why: [] } };
    const plain = { acceptance: { criterion: 'initiator' } };
    expect(parseProposalRules(annotated)).toEqual(parseProposalRules(plain));
  });
});
