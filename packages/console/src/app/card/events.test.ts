import type { Proposal } from '@proffer/core/operations';
import { readProposalView } from '@proffer/core/operations';
import { describe, expect, it } from 'vitest';
import { voiceFor } from '../text/voice.js';
import { eventsOf } from './events.js';

const PROPOSED = {
  id: 'p1',
  proposer: 'agent',
  to: [],
  method: 'tools/call',
  proposedAt: 1,
  changedAt: 9,
  approvals: [],
  rejections: {},
  statuses: {},
};

/** The lines of a card for its reader, `ada`. */
function linesOf(changes: object): readonly string[] {
  const proposal: Proposal = readProposalView({ ...PROPOSED, ...changes });
  return eventsOf(proposal, voiceFor('ada')).map(({ by, what }) => (by === '' ? what : `${by} ${what}`));
}

describe('events on a card', () => {
  it('O-45: a veto is a veto, also when others are asked, and names the reader as you', () => {
    const ending = { why: 'veto', by: 'ada', reason: 'unsafe', entry: 'payments' };
    const rejections = { ada: { reason: 'unsafe', at: 8 } };
    expect(linesOf({ phase: 'declined', ending, rejections })).toEqual([
      'agent proposed this call',
      'ada rejected this call: “Unsafe”',
      'You rejected this call: “Unsafe”. Under the policy payments, a single rejection declines it.',
    ]);
  });

  it('O-45: an approval that no longer counted is not silence', () => {
    const ending = { why: 'not_allowed_now', approver: 'bob', code: 'x', message: 'No rights.' };
    expect(linesOf({ phase: 'declined', ending }).at(-1)).toMatch(
      /^bob approved this call, but by the time it was about to run it was no longer/,
    );
  });

  it('O-45: a withdrawal because of a rejection says so', () => {
    const ending = { why: 'rejected', by: 'bob', reason: 'disagree' };
    const rejections = { bob: { reason: 'disagree', at: 8 } };
    expect(linesOf({ phase: 'withdrawn', ending, rejections }).at(-1)).toBe(
      'agent withdrew this call because it was rejected',
    );
  });
});
