import { describe, expect, it } from 'vitest';
import { describeProgress, PLAIN } from '../../words/index.js';
import type { Proposal } from '../proposal/proposal.js';
import { approvalProgress } from './progress.js';

const approval = (by: string, more: Partial<Proposal['approvals'][number]> = {}) => ({
  by,
  digest: 'sha256:a',
  given: 1,
  needed: 2,
  missing: ['bob', 'role:finance'],
  at: 0,
  ...more,
});

const words = (proposal: Partial<Proposal>): string | undefined => {
  const progress = approvalProgress({ approvals: [], escalatedTo: [], phase: 'pending', ...proposal });
  return progress === undefined ? undefined : describeProgress(progress, PLAIN);
};

describe('approval progress', () => {
  it('O-29: counts how many there are, out of how many, and who is missing', () => {
    expect(words({ approvals: [approval('ann')] })).toBe(
      '1 of 2 approvals, waiting for bob or anyone in finance',
    );
    expect(words({ approvals: [approval('ann', { missing: ['a', 'b', 'c'] })] })).toMatch(/ a, b or c$/);
    expect(words({ approvals: [approval('ann', { missing: [] })] })).toBe('1 of 2 approvals');
  });

  it.each<[string, Partial<Proposal>]>([
    ['before the first approval', {}],
    ['without a policy', { approvals: [{ by: 'ann', digest: 'sha256:a', at: 0 }] }],
    ['once it is decided', { approvals: [approval('ann')], phase: 'declined' }],
  ])('O-28: is empty %s', (_, proposal) => {
    expect(words(proposal)).toBeUndefined();
  });

  it('O-29: leaves out withdrawn ones, and counts each digest separately', () => {
    expect(words({ approvals: [approval('bob', { given: 2, needed: 3 })] })).toMatch(/^1 of 3 approvals/);
    const changed = approval('bob', { digest: 'sha256:b', missing: ['ann'] });
    expect(words({ approvals: [approval('ann'), changed] })).toBe('1 of 2 approvals, waiting for ann');
  });

  it('O-33: includes those it was escalated to', () => {
    expect(words({ approvals: [approval('ann')], escalatedTo: ['boss', 'ann'] })).toBe(
      '1 of 2 approvals, waiting for bob, anyone in finance or boss',
    );
  });
});
