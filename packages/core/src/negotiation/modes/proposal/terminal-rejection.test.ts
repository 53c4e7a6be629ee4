import { describe, expect, it } from 'vitest';
import { explainEligibility } from '../../session/explain.js';
import { becomes, type Case } from '../../testing/cases.js';
import { given, sessionOf } from '../../testing/given.js';
import { accept, commit, control, counter, propose, reject, start, withdraw } from '../../testing/steps.js';
import { phaseOf } from './negotiation.js';

const open = [start(), propose('seller', 'p1')];
const negative = { outcome_positive: false, action: 'contract.rejected' };

describe('after a terminal rejection', () => {
  const rejected = [...open, propose('buyer', 'p2'), reject('seller', 'p1', true)];
  it.each<Case>([
    ['N-11: no proposal', rejected, propose('buyer', 'p3'), 'SESSION_NOT_OPEN'],
    ['N-11: no counter-proposal', rejected, counter('buyer', 'p3', 'p1'), 'SESSION_NOT_OPEN'],
    ['N-11: no acceptance', rejected, accept('buyer', 'p2'), 'SESSION_NOT_OPEN'],
    ['N-11: no rejection', rejected, reject('buyer', 'p2', true), 'SESSION_NOT_OPEN'],
    ['N-11: no withdrawal of another', rejected, withdraw('buyer', 'p2'), 'SESSION_NOT_OPEN'],
    ['N-11: no suspension', rejected, control('suspend', 'buyer'), 'SESSION_NOT_OPEN'],
    ['N-11: withdrawal of the rejected one', rejected, withdraw('seller', 'p1'), 'accepted'],
    ['N-11: cancellation', rejected, control('cancel', 'buyer'), 'accepted'],
    ['N-11: commitment', rejected, commit('buyer', negative), 'accepted'],
    [
      'N-11: continues after the withdrawal',
      [...rejected, withdraw('buyer', 'p1')],
      accept('buyer', 'p2'),
      'accepted',
    ],
  ])('%s', becomes);

  it('N-11: the withdrawal removes the terminal rejection', () => {
    const story = given(...rejected);
    expect(phaseOf(sessionOf(story).negotiation)).toBe('TerminalRejected');
    expect(phaseOf(sessionOf(story.when(withdraw('seller', 'p1'))).negotiation)).toBe('Negotiating');
  });
});

describe('a proposal that all accept and one rejects terminally', () => {
  const coordinated = start({ participants: ['coordinator', 'buyer', 'seller'] }, 'coordinator');
  const accepted = [propose('seller', 'p1'), accept('buyer', 'p1'), accept('seller', 'p1')];
  const vetoed = [coordinated, ...accepted, reject('buyer', 'p1', true)];
  const rfc = start({ policy_version: 'policy.rfc-0008' });
  const rfcCommit = (change = {}) => commit('buyer', { policy_version: 'policy.rfc-0008', ...change });
  const rfcVetoed = [rfc, ...accepted, reject('buyer', 'p1', true)];
  it.each<Case>([
    ['N-10, N-13: has no positive outcome', vetoed, commit('coordinator'), 'POLICY_DENIED'],
    ['N-10: has a negative outcome', vetoed, commit('coordinator', negative), 'accepted'],
    ['N-10, N-13: under rfc-0008 neither', rfcVetoed, rfcCommit(), 'POLICY_DENIED'],
    [
      'N-10, N-13: not even if the rejecter accepts it again',
      [...rfcVetoed, accept('buyer', 'p1')],
      rfcCommit(),
      'POLICY_DENIED',
    ],
    [
      'N-10, N-13: the same terms under a new id have one',
      [...rfcVetoed, propose('seller', 'p2'), accept('buyer', 'p2'), accept('seller', 'p2')],
      rfcCommit(),
      'accepted',
    ],
  ])('%s', becomes);

  it('N-10, N-13: the denial names the rejecter, and so does the explanation', () => {
    const story = given(...vetoed);
    const reasons = ['All required participants accept "p1", but "buyer" has rejected it for good.'];
    const rejected = [{ proposal_id: 'p1', by: 'buyer' }];
    expect(story.when(commit('coordinator')).decision.refused?.details).toEqual({
      reasons,
      missing: [],
      rejected,
    });
    const explained = explainEligibility(sessionOf(story), story.now);
    expect(explained).toEqual({
      committer: 'coordinator',
      outcomes: ['negative'],
      rejected,
      missing: [],
      reasons,
    });
  });

  it('N-10: even if too many are rejected to name them all', () => {
    const others = ['p2', 'p3', 'p4'].flatMap((id) => [propose('seller', id), reject('seller', id, true)]);
    const { decision } = given(...rfcVetoed, ...others).when(rfcCommit());
    expect(decision.refused?.details).toMatchObject({
      rejected: [{ proposal_id: 'p1', by: 'buyer' }],
      reasons: [
        'All required participants accept "p1", but "buyer" has rejected it for good.',
        '4 proposals are rejected for good.',
      ],
    });
  });

  it('N-10: the first rejecter is named', () => {
    const { decision } = given(...rfcVetoed, reject('seller', 'p1', true)).when(rfcCommit());
    expect(decision.refused?.details).toMatchObject({ rejected: [{ proposal_id: 'p1', by: 'buyer' }] });
  });
});
