import { describe, expect, it } from 'vitest';
import { explainEligibility } from '../../session/explain.js';
import { becomes, type Case } from '../../testing/cases.js';
import { given, sessionOf } from '../../testing/given.js';
import { ask, cast, conclude, startApproval } from '../../testing/quorum-steps.js';
import type { Step } from '../../testing/steps.js';

const begun = [startApproval()];
const asked = [...begun, ask(2)];
const both = [...asked, cast('ann', 'Approve'), cast('bob', 'Approve')];
const failed = [...asked, cast('ann', 'Reject'), cast('bob', 'Abstain')];

describe('the messages of an approval', () => {
  it.each<Case>([
    ['N-17: the initiator asks, participant or not', begun, ask(3), 'accepted'],
    ['N-17: nobody else does', begun, ask(2, 'ann'), 'FORBIDDEN'],
    ['N-17: nor an outsider', begun, ask(2, 'mallory'), 'FORBIDDEN'],
    ['N-17: a second request', asked, ask(1, 'lead', 'r2'), 'INVALID_ENVELOPE'],
    ['N-17: no approvals', begun, ask(0), 'INVALID_ENVELOPE'],
    ['N-17: more approvals than participants', begun, ask(4), 'INVALID_ENVELOPE'],
    ['N-17: a ballot before the request', begun, cast('ann', 'Approve'), 'INVALID_ENVELOPE'],
    ['N-17: a ballot on another request', asked, cast('ann', 'Approve', 'r2'), 'INVALID_ENVELOPE'],
    ['N-17: a ballot', asked, cast('ann', 'Approve'), 'accepted'],
    ['N-17: the initiator has none unless it is a participant', asked, cast('lead', 'Approve'), 'FORBIDDEN'],
    ['N-17: nor has an outsider', asked, cast('mallory', 'Approve'), 'FORBIDDEN'],
    ['N-17: a second ballot', [...asked, cast('ann', 'Approve')], cast('ann', 'Reject'), 'INVALID_ENVELOPE'],
    [
      'N-17: even after an abstention',
      [...asked, cast('ann', 'Abstain')],
      cast('ann', 'Approve'),
      'INVALID_ENVELOPE',
    ],
    ['N-18: nothing to commit before the request', begun, conclude(false), 'INVALID_ENVELOPE'],
    [
      'N-18: too early for a positive outcome',
      [...asked, cast('ann', 'Approve')],
      conclude(),
      'INVALID_ENVELOPE',
    ],
    [
      'N-18: too early for a negative outcome',
      [...asked, cast('ann', 'Reject')],
      conclude(false),
      'INVALID_ENVELOPE',
    ],
    ['N-18: enough approve', both, conclude(), 'accepted'],
    ['N-18: enough approve, so it cannot fail', both, conclude(false), 'POLICY_DENIED'],
    ['N-18: too few can approve', failed, conclude(false), 'accepted'],
    ['N-18: too few can approve, so it cannot succeed', failed, conclude(), 'POLICY_DENIED'],
    ['N-18: ballots after that are still counted', both, cast('eve', 'Reject'), 'accepted'],
    ['N-18: only the initiator commits', both, conclude(true, {}, 'ann'), 'FORBIDDEN'],
    ['I-2: a second outcome', [...both, conclude()], conclude(false), 'SESSION_NOT_OPEN'],
  ])('%s', becomes);

  it('N-17: all abstain', () => {
    const story = given(...asked, ...['ann', 'bob', 'eve'].map((name) => cast(name, 'Abstain')));
    expect(story.when(conclude(false)).result).toBe('accepted');
  });

  it('N-1: has participants', () => {
    const { decision } = given().when(startApproval({ participants: [] }));
    expect(decision.refused?.details).toMatchObject({ field: 'payload.participants', found: '0 names' });
  });

  it('N-18: the explanation counts', () => {
    const explained = (...steps: readonly Step[]) => {
      const story = given(...steps);
      return explainEligibility(sessionOf(story), story.now);
    };
    expect(explained(...begun)).toMatchObject({
      outcomes: [],
      reasons: ['Nobody has asked for an approval yet.'],
    });
    expect(explained(...asked)).toEqual({
      committer: 'lead',
      outcomes: [],
      approvals: 0,
      required: 2,
      remaining: 3,
      reasons: ['The request has 0 of the 2 required approvals, and 3 ballots are still open.'],
    });
    expect(explained(...failed).reasons).toEqual([
      'The request has 0 of the 2 required approvals, and 1 ballot is still open: too few.',
    ]);
    expect(explained(...both).reasons).toEqual(['The request has 2 of the 2 required approvals.']);
  });
});
