import { describe, expect, it } from 'vitest';
import { proposalOf } from '../inbox/testing/keyboard.js';
import { describeEnding } from './ending.js';
import { standingOf } from './standing.js';

const approval = (by: string) => ({ by, digest: 'd', given: 1, needed: 2, missing: ['role:finance'], at: 0 });

describe('status of a pending proposal', () => {
  it('O-29, O-33: names who approved, who is missing, and who is asked now', () => {
    const proposal = proposalOf('p1', { approvals: [approval('a\u200bnn')], escalatedTo: ['role:bosses'] });
    expect(standingOf(proposal, 0)).toEqual([
      '1 of 2 approvals, waiting for finance or bosses (approved by a\\u{200b}nn)',
      'escalated to bosses',
    ]);
    expect(standingOf({ ...proposal, phase: 'withdrawn' }, 0)).toEqual([]);
  });

  it.each([
    ['with a tenth of its time left', 600_000, 545_000, ['expires in 55.0 s']],
    ['with ten seconds left', 30_000, 21_000, ['expires in 9.0 s']],
    ['not before', 600_000, 500_000, []],
    ['and not once it has ended', 600_000, 700_000, []],
  ])('O-36: says that it expires soon: %s', (_, expiresAt, now, expected) => {
    expect(standingOf(proposalOf('p1', { expiresAt }), now)).toEqual(expected);
  });

  it.each([
    ['by a veto', { rejections: { bob: { reason: 'unsafe', at: 0 } } }, 'bob rejected it'],
    ['because nobody answered', {}, 'nobody decided in time'],
    [
      'because it was reserved',
      { targeting: { preferred: ['bob'], exclusive: true, fallback: false } },
      'it was reserved, and nobody it was reserved for took it',
    ],
  ])('O-31, O-33: says how it was declined: %s', (_, changes, why) => {
    const decision = { decision: 'declined', amended: false, at: 0, took: 0 } as const;
    const declined = proposalOf('p1', { decision, ...changes });
    expect(describeEnding(declined)).toBe(`it was declined: ${why}`);
  });
});
