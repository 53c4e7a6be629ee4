import { describe, expect, it } from 'vitest';
import { explainEligibility } from '../../session/explain.js';
import { becomes, type Case } from '../../testing/cases.js';
import { evaluate, object, settle, startDecision, suggest, vote } from '../../testing/decision-steps.js';
import { given, sessionOf } from '../../testing/given.js';
import { control } from '../../testing/steps.js';

const open = [startDecision(), suggest('ann', 'p1')];
const voting = [...open, vote('bob', 'p1', 'APPROVE')];

describe('the messages of a decision', () => {
  it.each<Case>([
    ['N-14: any participant proposes', open, suggest('bob', 'p2'), 'accepted'],
    ['N-14: nobody else does', open, suggest('mallory', 'p2'), 'FORBIDDEN'],
    [
      'N-14: an initiator who takes no part',
      [startDecision({ participants: ['ann'] })],
      suggest('lead', 'p1'),
      'FORBIDDEN',
    ],
    ['N-14: an id that is taken', open, suggest('bob', 'p1'), 'INVALID_ENVELOPE'],
    ['N-14: an evaluation', open, evaluate('bob', 'p1', 'APPROVE'), 'accepted'],
    ['N-14: an evaluation of nothing', open, evaluate('bob', 'p2', 'APPROVE'), 'INVALID_ENVELOPE'],
    ['N-14: a recommendation in lower case', open, evaluate('bob', 'p1', 'approve'), 'INVALID_ENVELOPE'],
    ['N-14: more than sure', open, evaluate('bob', 'p1', 'APPROVE', 1.01), 'INVALID_ENVELOPE'],
    ['N-14: less than unsure', open, evaluate('bob', 'p1', 'APPROVE', -0.01), 'INVALID_ENVELOPE'],
    ['N-14: an objection', open, object('bob', 'p1', 'critical'), 'accepted'],
    ['N-14: an objection to nothing', open, object('bob', 'p2', 'low'), 'INVALID_ENVELOPE'],
    ['N-14: a severity in capitals', open, object('bob', 'p1', 'LOW'), 'INVALID_ENVELOPE'],
    ['N-14: no severity', open, object('bob', 'p1', ''), 'INVALID_ENVELOPE'],
    ['N-14: a vote', open, vote('bob', 'p1', 'ABSTAIN'), 'accepted'],
    ['N-14: a vote before any option', [startDecision()], vote('bob', 'p1', 'APPROVE'), 'INVALID_ENVELOPE'],
    ['N-14: a vote in lower case', open, vote('bob', 'p1', 'approve'), 'INVALID_ENVELOPE'],
    ['N-14: a vote by an outsider', open, vote('mallory', 'p1', 'APPROVE'), 'FORBIDDEN'],
    ['N-14: a second vote, even the same', voting, vote('bob', 'p1', 'APPROVE'), 'INVALID_ENVELOPE'],
    [
      'N-14: a vote on another option',
      [...open, suggest('bob', 'p2'), vote('bob', 'p1', 'APPROVE')],
      vote('bob', 'p2', 'REJECT'),
      'accepted',
    ],
    ['N-14: an option after the first vote', voting, suggest('ann', 'p2'), 'INVALID_ENVELOPE'],
    ['N-14: an evaluation after the first vote', voting, evaluate('ann', 'p1', 'BLOCK'), 'INVALID_ENVELOPE'],
    ['N-14: an objection after the first vote', voting, object('ann', 'p1', 'critical'), 'INVALID_ENVELOPE'],
    ['N-15: no option, no outcome', [startDecision()], settle(), 'INVALID_ENVELOPE'],
    ['N-15: nor a negative one', [startDecision()], settle(false), 'INVALID_ENVELOPE'],
    ['N-15: a positive outcome without votes', open, settle(), 'accepted'],
    ['N-15: a negative outcome without votes', open, settle(false), 'accepted'],
    ['N-15: against the votes', voting, settle(false), 'accepted'],
    ['N-15: only the initiator commits', open, settle(true, {}, 'ann'), 'FORBIDDEN'],
    [
      'N-15: under another policy',
      open,
      settle(true, { policy_version: 'policy.std.majority' }),
      'INVALID_ENVELOPE',
    ],
    ['I-2: a second outcome', [...open, settle()], settle(false), 'SESSION_NOT_OPEN'],
    ['N-4: can be suspended while there are votes', voting, control('suspend', 'lead'), 'accepted'],
  ])('%s', becomes);

  it('N-15: a session without participants starts, and can only be cancelled or expire', () => {
    const alone = given(startDecision({ participants: [] }));
    expect(alone.when(suggest('lead', 'p1')).result).toBe('FORBIDDEN');
    expect(alone.when(settle()).result).toBe('INVALID_ENVELOPE');
    expect(alone.when(control('cancel', 'lead')).result).toBe('accepted');
  });

  it('N-14: a refusal says what is wrong', () => {
    const again = given(...voting).when(vote('bob', 'p1', 'REJECT'));
    expect(again.decision.refused?.message).toContain('"p1", on which "bob" has already voted APPROVE');
    const late = given(...voting).when(suggest('ann', 'p2'));
    expect(late.decision.refused?.message).toContain('Proposal, after the first Vote');
  });

  it('N-15: the explanation says what the votes are, and that the outcome is free', () => {
    const story = given(...voting);
    expect(explainEligibility(sessionOf(story), story.now)).toEqual({
      committer: 'lead',
      outcomes: ['positive', 'negative'],
      approvals: 1,
      rejections: 0,
      voters: 1,
      vetoed_by: [],
      reasons: [
        'There is one option, with 1 vote to approve and 0 to reject; the policy leaves the outcome to whoever commits.',
      ],
    });
    expect(explainEligibility(sessionOf(story), story.now, 'ann').outcomes).toEqual([]);
  });
});
