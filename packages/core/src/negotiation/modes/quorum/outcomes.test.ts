import { describe, expect, it } from 'vitest';
import { given } from '../../testing/given.js';
import { APPROVERS, approveUnder, ask, cast, conclude, startApproval } from '../../testing/quorum-steps.js';
import { parseQuorumRules } from './parse-rules.js';
import type { QuorumRules } from './rules.js';

function rulesOf(written: object): QuorumRules {
  const read = parseQuorumRules(JSON.parse(JSON.stringify(written)));
  if (!read.ok) throw new Error(read.refusal.message);
  return read.value;
}

/** The outcomes that can be committed after these ballots; the session itself is asked. */
function outcomesAfter(rules: QuorumRules | undefined, required: number, ballots: readonly string[]) {
  const begin = rules === undefined ? startApproval() : approveUnder(rules);
  const cast3 = ballots.flatMap((ballot, index) =>
    ballot === '' ? [] : [cast(APPROVERS[index] ?? '', ballot)],
  );
  const story = given(begin, ask(required), ...cast3);
  const policy_version = rules === undefined ? '' : 'policy.test';
  return (['positive', 'negative'] as const).filter(
    (outcome) => story.when(conclude(outcome === 'positive', { policy_version })).result === 'accepted',
  );
}

const CHOICES = ['', 'Approve', 'Reject', 'Abstain'];
const SITUATIONS = CHOICES.flatMap((first) =>
  CHOICES.flatMap((second) => CHOICES.map((third) => [first, second, third])),
);

describe('the outcome of an approval', () => {
  const policies: readonly (readonly [string, object, number | undefined])[] = [
    ['no policy', {}, undefined],
    ['a number', { threshold: { type: 'n_of_m', value: 3 } }, 3],
    ['a number that nobody can reach', { threshold: { value: 4 } }, 4],
    ['half, rounded up', { threshold: { type: 'percentage', value: 50 } }, 2],
    ['67 percent, rounded up', { threshold: { type: 'percentage', value: 67 } }, 3],
    ['abstentions that reject', { abstention: { interpretation: 'implicit_reject' } }, undefined],
    [
      'abstentions that are ignored',
      { abstention: { interpretation: 'ignored', counts_toward_quorum: true } },
      undefined,
    ],
  ];
  it.each(policies)('N-18: in every situation of three participants, under %s', (_, written, threshold) => {
    for (const required of [1, 2, 3]) {
      for (const ballots of SITUATIONS) {
        const bar = threshold ?? required;
        const approving = ballots.filter((ballot) => ballot === 'Approve').length;
        const silent = ballots.filter((ballot) => ballot === '').length;
        const expected = approving >= bar ? ['positive'] : approving + silent < bar ? ['negative'] : [];
        expect([required, ballots, outcomesAfter(rulesOf(written), required, ballots)]).toEqual([
          required,
          ballots,
          expected,
        ]);
      }
    }
  });

  it('N-18: a percentage is exact', () => {
    const crowd = Array.from({ length: 100 }, (_, index) => `a${index}`);
    const rules = rulesOf({ threshold: { type: 'percentage', value: 7 } });
    const begin = approveUnder(rules, { participants: crowd });
    const six = given(begin, ask(50), ...crowd.slice(0, 6).map((name) => cast(name, 'Approve')));
    const commit = conclude(true, { policy_version: 'policy.test' });
    expect(six.when(commit).result).toBe('INVALID_ENVELOPE');
    expect(six.when(cast('a6', 'Approve')).when(commit).result).toBe('accepted');
  });

  it.each([
    ['weights', { threshold: { type: 'weighted', value: 2 } }, 'rules.threshold.type'],
    ['no number', { threshold: {} }, 'rules.threshold.value'],
    ['zero', { threshold: { value: 0 } }, 'rules.threshold.value'],
    ['more than all', { threshold: { type: 'percentage', value: 101 } }, 'rules.threshold.value'],
    ['a fraction', { threshold: { type: 'percentage', value: 0.5 } }, 'rules.threshold.value'],
    ['an unknown reading', { abstention: { interpretation: 'approve' } }, 'rules.abstention.interpretation'],
    ['empty roles', { commitment: { authority: 'designated_role' } }, 'rules.commitment.designated_roles'],
    ['an unknown section', { voting: {} }, 'rules.voting'],
  ])('N-13, N-18: a policy with %s is refused, naming the path', (_, written, field) => {
    expect(parseQuorumRules(written)).toMatchObject({
      ok: false,
      refusal: { code: 'INVALID_POLICY_DEFINITION', details: { field } },
    });
  });
});
