import { describe, expect, it } from 'vitest';
import { explainEligibility } from '../../session/explain.js';
import { becomes, type Case } from '../../testing/cases.js';
import { given, type Story, sessionOf } from '../../testing/given.js';
import { accept, commit, propose, reject, start, withdraw } from '../../testing/steps.js';
import type { ProposalEligibility } from './eligibility.js';

const open = [start(), propose('seller', 'p1')];
const negative = { outcome_positive: false, action: 'contract.rejected' };

describe('convergence', () => {
  const three = start({ participants: ['coordinator', 'buyer', 'seller'] }, 'coordinator');
  const both = [three, propose('seller', 'p1'), accept('buyer', 'p1'), accept('seller', 'p1')];
  it.each<Case>([
    ['N-9: the committer need not have accepted', both, commit('coordinator'), 'accepted'],
    [
      'N-9: unless it has accepted another',
      [...both, propose('buyer', 'p2'), accept('coordinator', 'p2')],
      commit('coordinator'),
      'INVALID_ENVELOPE',
    ],
    [
      'N-9: unless it has rejected this one',
      [...both, reject('coordinator', 'p1')],
      commit('coordinator'),
      'INVALID_ENVELOPE',
    ],
    [
      'N-9: having rejected another does not matter',
      [...both, propose('buyer', 'p2'), reject('coordinator', 'p2')],
      commit('coordinator'),
      'accepted',
    ],
    [
      'N-9: the proposal it accepted was withdrawn',
      [...both, propose('buyer', 'p2'), accept('coordinator', 'p2'), withdraw('buyer', 'p2')],
      commit('coordinator'),
      'accepted',
    ],
    [
      'N-9: having rejected it and then accepted it',
      [...both, reject('coordinator', 'p1'), accept('coordinator', 'p1')],
      commit('coordinator'),
      'accepted',
    ],
    [
      'N-9: a rejection by another does not matter, even if ids and names concatenate alike',
      [
        start({ participants: ['buyer', 'xbuyer'] }),
        propose('xbuyer', 'p1'),
        reject('xbuyer', 'p1'),
        propose('xbuyer', 'p1x'),
        accept('xbuyer', 'p1x'),
      ],
      commit('buyer'),
      'accepted',
    ],
    [
      'N-9: nor if they concatenate the other way round',
      [
        start({ participants: ['buyer', 'buyerp'] }),
        propose('buyerp', '1'),
        reject('buyerp', '1'),
        propose('buyerp', 'p1'),
        accept('buyerp', 'p1'),
      ],
      commit('buyer'),
      'accepted',
    ],
    ['N-9: everyone else must accept', both.slice(0, -1), commit('coordinator'), 'INVALID_ENVELOPE'],
    [
      'N-9: the same proposal',
      [...both, propose('buyer', 'p2'), accept('buyer', 'p2')],
      commit('coordinator'),
      'INVALID_ENVELOPE',
    ],
    ['N-9: a live proposal', [...both, withdraw('seller', 'p1')], commit('coordinator'), 'INVALID_ENVELOPE'],
    [
      'N-9: the proposer, too',
      [start(), propose('seller', 'p1'), accept('buyer', 'p1')],
      commit('buyer'),
      'INVALID_ENVELOPE',
    ],
    [
      'N-9: an outside initiator adds nothing',
      [start({}, 'boss'), propose('seller', 'p1'), accept('buyer', 'p1'), accept('seller', 'p1')],
      commit('boss'),
      'accepted',
    ],
    [
      'N-9: alone, with one live proposal, committing is enough',
      [start({ participants: ['buyer'] }), propose('buyer', 'p1')],
      commit('buyer'),
      'accepted',
    ],
    [
      'N-9: alone, with two, it is ambiguous',
      [start({ participants: ['buyer'] }), propose('buyer', 'p1'), propose('buyer', 'p2')],
      commit('buyer'),
      'INVALID_ENVELOPE',
    ],
  ])('%s', becomes);
});

describe('commitment', () => {
  const converged = [...open, accept('seller', 'p1'), accept('buyer', 'p1')];
  const rejected = [...open, reject('seller', 'p1', true)];
  it.each<Case>([
    ['N-10: no messages yet', [start()], commit('buyer'), 'INVALID_ENVELOPE'],
    ['N-10: a negative outcome without a rejection', open, commit('buyer', negative), 'INVALID_ENVELOPE'],
    [
      'N-10: an ordinary rejection is not enough',
      [...open, reject('seller', 'p1')],
      commit('buyer', negative),
      'INVALID_ENVELOPE',
    ],
    ['N-10: positive after convergence', converged, commit('buyer'), 'accepted'],
    ['N-10: negative after convergence', converged, commit('buyer', negative), 'accepted'],
    ['N-10: negative after a terminal rejection', rejected, commit('buyer', negative), 'accepted'],
    ['N-10, N-13: positive after a terminal rejection', rejected, commit('buyer'), 'POLICY_DENIED'],
    [
      'N-10: a different mode version',
      converged,
      commit('buyer', { mode_version: '1.0.1' }),
      'INVALID_ENVELOPE',
    ],
    [
      'N-10: a different configuration',
      converged,
      commit('buyer', { configuration_version: 'x' }),
      'INVALID_ENVELOPE',
    ],
    [
      'N-10: a different policy',
      converged,
      commit('buyer', { policy_version: 'policy.rfc-0008' }),
      'INVALID_ENVELOPE',
    ],
    [
      'N-10: no policy is policy.default',
      converged,
      commit('buyer', { policy_version: 'policy.default' }),
      'accepted',
    ],
    ['N-10: no reason', converged, commit('buyer', { reason: '' }), 'INVALID_ENVELOPE'],
    [
      'N-10: a reference to nothing',
      converged,
      commit('buyer', { supersedes: { session_id: '' } }),
      'INVALID_ENVELOPE',
    ],
    ['I-2: a second outcome', [...converged, commit('buyer')], commit('buyer', negative), 'SESSION_NOT_OPEN'],
  ])('%s', becomes);

  it('N-10: no policy on either side is policy.default', () => {
    const named = [start({ policy_version: 'policy.default' }), ...converged.slice(1)];
    expect(given(...named).when(commit('buyer')).result).toBe('accepted');
  });

  it('N-13: a denial carries its reasons', () => {
    const { decision } = given(...rejected).when(commit('buyer'));
    expect(decision.refused?.details).toMatchObject({
      reasons: ['"p1" is not accepted by "seller".', '"seller" has rejected "p1" for good.'],
      missing: [{ proposal_id: 'p1', participants: ['seller'], count: 1 }],
      rejected: [{ proposal_id: 'p1', by: 'seller' }],
    });
  });

  it('N-9, N-10: the explanation and the decision are one rule', () => {
    const story = given(...open);
    const explain = (told: Story, committer?: string) =>
      explainEligibility(sessionOf(told), told.now, committer);
    expect(explain(given(start())).reasons).toEqual(['There is no live proposal.']);
    expect(explain(story)).toMatchObject({
      committer: 'buyer',
      outcomes: [],
      reasons: ['"p1" is not accepted by "seller".'],
    });
    expect(explain(story.when(propose('buyer', 'p2'))).reasons).toEqual([
      'Nobody has accepted any of the 2 live proposals.',
    ]);
    expect(explain(story.when(reject('buyer', 'p1'))).reasons).toEqual([
      '"p1" is not accepted by "buyer", "seller"; "buyer" has rejected it.',
    ]);
    expect(explain(story.when(accept('seller', 'p1')))).toMatchObject({
      outcomes: ['positive', 'negative'],
      converged: 'p1',
      reasons: ['All required participants accept "p1".'],
    });
    expect(explain(story, 'seller')).toMatchObject({ outcomes: [] });
    expect(explain(story, 'seller').reasons[0]).toBe(
      '"seller" may not commit: only the initiator "buyer" may.',
    );
  });
});

describe('explanations of large negotiations', () => {
  const crowd = Array.from({ length: 30 }, (_, index) => `agent-${index}`);

  it('N-9: list a few names and the number of others', () => {
    const { state, now } = given(start({ participants: crowd }, 'agent-0'), propose('agent-1', 'p1'));
    if (state === undefined) throw new Error('The session was started.');
    const { missing, reasons } = explainEligibility(state, now) as ProposalEligibility;
    expect(missing).toEqual([{ proposal_id: 'p1', participants: crowd.slice(1, 21), count: 29 }]);
    expect(reasons).toEqual([
      '"p1" is not accepted by "agent-1", "agent-2", "agent-3", "agent-4", "agent-5" and 24 more.',
    ]);
  });

  it('N-10: list a few rejections, or their number', () => {
    const ids = ['p1', 'p2', 'p3', 'p4'];
    const rfc = start({ policy_version: 'policy.rfc-0008' });
    const reject4 = ids.flatMap((id) => [propose('seller', id), reject('buyer', id, true)]);
    const story = given(rfc, ...reject4);
    const { outcomes, rejected, reasons } = explainEligibility(
      sessionOf(story),
      story.now,
    ) as ProposalEligibility;
    expect({ outcomes, rejected }).toEqual({ outcomes: ['negative'], rejected: [] });
    expect(reasons).toContain('4 proposals are rejected for good.');
  });
});
