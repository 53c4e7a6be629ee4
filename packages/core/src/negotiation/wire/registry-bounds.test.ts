import { describe, expect, it } from 'vitest';
import { modeRegistry } from '../mode-descriptors/registry.js';
import { findPolicy, listPolicies, type PolicyRegistry, policyRegistry } from '../policy/registry.js';

const context = { now: 1 };
const principal = 'operator';

const policy = (policy_id: string, description = '') => ({
  policy_id,
  mode: '*',
  description,
  rules: '{}',
  schema_version: 1,
});
const registering = (state: PolicyRegistry, policy_id: string, description = '') =>
  policyRegistry.decide(
    state,
    { type: 'register', principal, descriptor: policy(policy_id, description) },
    context,
  );

function register(state: PolicyRegistry, policy_id: string, description = ''): PolicyRegistry {
  const { records = [], refused } = registering(state, policy_id, description);
  if (refused !== undefined) throw new Error(refused.message);
  return records.reduce(policyRegistry.evolve, state);
}

function unregister(state: PolicyRegistry, policyId: string): PolicyRegistry {
  const { records = [] } = policyRegistry.decide(state, { type: 'unregister', principal, policyId }, context);
  return records.reduce(policyRegistry.evolve, state);
}

const LARGE = 'd'.repeat(65_000);

describe('registry limits', () => {
  it('I-7, N-13: a policy of more than 64 KiB is refused, naming its largest field and the bound', () => {
    const { refused } = registering(policyRegistry.initial, 'p', 'ü'.repeat(33_000));
    expect(refused).toMatchObject({
      code: 'INVALID_POLICY_DEFINITION',
      details: { field: 'description', expected: expect.stringContaining('65536 bytes') },
    });
    expect(registering(policyRegistry.initial, 'p', LARGE).records).toHaveLength(1);
    const rules = `{}${' '.repeat(70_000)}`;
    const descriptor = { ...policy('p'), rules };
    const spaced = policyRegistry.decide(
      policyRegistry.initial,
      { type: 'register', principal, descriptor },
      context,
    );
    expect(spaced.refused?.details).toMatchObject({ field: 'rules' });
  });

  it('I-7, N-13: a thousand policies can be registered at a time; unregistering one makes room', () => {
    let state = policyRegistry.initial;
    for (let count = 0; count < 1_000; count++) state = register(state, `p${count}`);
    expect(registering(state, 'more').refused).toMatchObject({
      code: 'INVALID_POLICY_DEFINITION',
      message: expect.stringContaining('at most 1000'),
      details: { field: 'policy_id' },
    });
    expect(registering(unregister(state, 'p7'), 'more').records).toHaveLength(1);
  });

  it('I-7, N-13: all policies together fit into one answer', () => {
    let state = policyRegistry.initial;
    let count = 0;
    while (registering(state, `p${count}`, LARGE).refused === undefined)
      state = register(state, `p${count++}`, LARGE);
    expect(count).toBe(48);
    expect(listPolicies(state)).toHaveLength(listPolicies(policyRegistry.initial).length + count);
    expect(registering(state, 'more', LARGE).refused?.message).toContain('at most 3145728 bytes');
  });

  it('I-7, N-13: only the digest of an unregistered policy is kept', () => {
    let state = policyRegistry.initial;
    for (let count = 0; count < 200; count++) {
      state = unregister(register(state, `p${count}`, LARGE), `p${count}`);
    }
    expect(findPolicy(state, 'p199')).toBeUndefined();
    expect(JSON.stringify([...state.available, ...state.digests]).length).toBeLessThan(100_000);
    expect(registering(state, 'p0', 'another').refused?.code).toBe('INVALID_POLICY_DEFINITION');
    expect(findPolicy(register(state, 'p0', LARGE), 'p0')?.description).toBe(LARGE);
  });

  it('I-7: a mode of more than 64 KiB, or beyond the limit, is refused', () => {
    const deciding = (state: typeof modeRegistry.initial, mode: string, description = '') => {
      const descriptor = { mode, mode_version: '1', description, message_types: ['Bid'] };
      return modeRegistry.decide(state, { type: 'register', principal, descriptor }, context);
    };
    const { initial } = modeRegistry;
    expect(deciding(initial, 'ext.large', 'd'.repeat(65_537)).refused).toMatchObject({
      code: 'INVALID_ENVELOPE',
      details: { field: 'description' },
    });
    let state = initial;
    let refused = deciding(state, 'ext.0').refused;
    for (let count = 0; refused === undefined; count++) {
      const { records = [], refused: no } = deciding(state, `ext.${count}`, count < 3 ? LARGE : '');
      state = records.reduce(modeRegistry.evolve, state);
      refused = no;
    }
    expect(refused).toMatchObject({ code: 'INVALID_ENVELOPE', message: expect.stringContaining('196608') });
    expect([...state.keys()].length).toBeGreaterThan(3);
  });
});
