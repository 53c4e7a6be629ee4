import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../json/json.js';
import { lookUpIn, policyRegistry } from '../../policy/registry.js';
import { given } from '../../testing/given.js';
import { accept, commit, counter, propose, reject, type Step, start, withdraw } from '../../testing/steps.js';

/** Starts a session under a registered policy, at a runtime with this default. */
function startAt(defaultPolicy: 'guide' | 'rfc-0008', rules: JsonObject): Step {
  const descriptor = { policy_id: 'policy.ours', mode: '*', rules: JSON.stringify(rules), schema_version: 1 };
  const command = { type: 'register', principal: 'operator', descriptor } as const;
  const { records = [] } = policyRegistry.decide(policyRegistry.initial, command, { now: 1 });
  const registry = records.reduce(policyRegistry.evolve, policyRegistry.initial);
  return { ...start({ policy_version: 'policy.ours' }), policies: lookUpIn(registry, defaultPolicy) };
}

describe('what a registered policy leaves open', () => {
  const open = [propose('seller', 'p1')];
  const ours = { policy_version: 'policy.ours' };
  it.each<readonly [string, JsonObject, readonly Step[], Step, guide: string, rfc: string]>([
    ['another one withdraws', {}, open, withdraw('buyer', 'p1'), 'accepted', 'FORBIDDEN'],
    [
      'the initiator commits without an Accept',
      { acceptance: { criterion: 'initiator' } },
      open,
      commit('buyer', ours),
      'accepted',
      'INVALID_ENVELOPE',
    ],
    [
      'a countered proposal is accepted',
      {},
      [...open, counter('buyer', 'p2', 'p1')],
      accept('buyer', 'p1'),
      'INVALID_ENVELOPE',
      'accepted',
    ],
    [
      'it goes on after a terminal rejection',
      {},
      [...open, reject('buyer', 'p1', true)],
      propose('seller', 'p2'),
      'SESSION_NOT_OPEN',
      'accepted',
    ],
  ])('N-13: %s', (_, rules, before, step, guide, rfc) => {
    expect(given(startAt('guide', rules), ...before).when(step).result).toBe(guide);
    expect(given(startAt('rfc-0008', rules), ...before).when(step).result).toBe(rfc);
  });

  it('N-13: is in the record of the session, with the policy that it comes from', () => {
    const [guide] = given(startAt('guide', {})).records;
    const [rfc] = given(startAt('rfc-0008', {})).records;
    expect(guide).toMatchObject({ facts: { policy_id: 'policy.ours', defaults_from: 'policy.default' } });
    expect(rfc).toMatchObject({
      facts: {
        policy_id: 'policy.ours',
        defaults_from: 'policy.rfc-0008',
        rules: { withdrawal: { authority: 'author' } },
      },
    });
    const [builtIn] = given(start()).records;
    expect(builtIn).not.toHaveProperty('facts.defaults_from');
  });
});
