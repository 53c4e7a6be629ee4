import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../envelope/envelope.js';
import { entry, reviewed } from '../testing/reviewed.js';
import {
  answer,
  approve,
  createWorld,
  fulfil,
  propose,
  reject,
  status,
  type World,
  withdraw,
} from '../testing/world.js';
import type { ProposalEnding } from './ending.js';
import { decisionOn, readProposalView, viewProposal } from './proposal-view.js';

/** The ending of a proposal, in its state and, the same, in the view that clients fold on from. */
function endingOf(world: World, id = 'p1'): ProposalEnding | undefined {
  const { ending } = world.proposal(id);
  const sent = JSON.parse(JSON.stringify(viewProposal(world.proposal(id))));
  expect(readProposalView(sent).ending).toEqual(ending);
  return ending;
}

function withMessage(rejection: Envelope, message: string): Envelope {
  return { ...rejection, payload: { ...rejection.payload, message } };
}

const vetoes = entry({ approvals: 1, veto: true });
const declinesLate = entry({ escalate: [{ after: 1_000, to: [] }] });

describe('O-45: the state keeps why a proposal ended, and by whom', () => {
  it('O-45, O-31: a veto, with its message and the policy entry', () => {
    const world = reviewed([vetoes]);
    world.send(withMessage(reject('r1', 'p1', 'ann'), 'not on a Friday'));
    expect(endingOf(world)).toEqual({
      why: 'veto',
      by: 'ann',
      reason: 'unsafe',
      message: 'not on a Friday',
      entry: 'writes',
    });
    expect(decisionOn(world.proposal('p1'))).toMatchObject({ decision: 'declined', why: 'veto', by: 'ann' });
  });

  it('O-45, O-31: rejections that leave too few', () => {
    const world = reviewed([entry({ from: ['ann', 'bob'] })]);
    world.send(reject('r1', 'p1', 'bob', 'disagree'));
    expect(endingOf(world)).toEqual({ why: 'impossible', by: 'bob', reason: 'disagree', entry: 'writes' });
  });

  it('O-45, O-33: an escalation that ends, with who had decided by then', () => {
    const world = reviewed([declinesLate]);
    world.send(approve('a1', 'p1', { from: 'ann' }));
    world.send(reject('r1', 'p1', 'cleo', 'disagree'));
    world.send(reject('r2', 'p1', 'other', 'busy'));
    world.now += 1_000;
    world.review('p1');
    expect(endingOf(world)).toEqual({ why: 'unanswered', approvedBy: ['ann'], rejectedBy: ['cleo'] });
  });

  it('O-45, O-20: a reservation that nobody took', () => {
    const world = createWorld(['agent', 'tools', 'ann', 'bob']);
    const targeting = {
      preferred: ['ann', 'bob'],
      exclusive: true,
      exclusive_timeout: 1_000,
      fallback_to_broadcast: false,
    };
    world.send(propose('p1', { targeting }));
    world.send(reject('r1', 'p1', 'ann'));
    world.now += 1_000;
    world.review('p1');
    expect(endingOf(world)).toEqual({ why: 'reserved', rejectedBy: ['ann'], unansweredBy: ['bob'] });
  });

  it('O-45, O-37: a dependency that failed', () => {
    const world = reviewed([]);
    world.send(propose('p2', { depends_on: ['p1'] }));
    world.send(withdraw('w1', 'p1'));
    expect(endingOf(world, 'p2')).toEqual({ why: 'dependency', dependency: 'p1', outcome: 'withdrawn' });
  });

  it('O-45, O-37: an approval that no longer counts when it is due', () => {
    const world = reviewed([]);
    world.send(propose('p2', { depends_on: ['p1'] }));
    world.send(approve('a2', 'p2', { from: 'ann' }));
    world.capabilities.set('ann', ['chat.message']);
    world.send(approve('a1', 'p1'));
    world.send(answer('x1', world.proposal('p1').fulfilment?.request ?? ''));
    expect(endingOf(world, 'p2')).toMatchObject({
      why: 'not_allowed_now',
      approver: 'ann',
      code: 'capability_violation',
    });
  });

  it('O-45, O-19: time, before enough people decided', () => {
    const world = reviewed();
    world.send(propose('p2', { ttl: 1_000 }));
    world.send(approve('a1', 'p2', { from: 'ann' }));
    world.now += 1_000;
    world.review('p2');
    expect(endingOf(world, 'p2')).toEqual({ why: 'undecided', approvedBy: ['ann'], rejectedBy: [] });
    expect(decisionOn(world.proposal('p2'))).not.toHaveProperty('by');
  });

  it('O-45, O-37: time, after it was approved', () => {
    const world = reviewed([]);
    world.send(propose('p2', { ttl: 1_000, depends_on: ['p1'] }));
    world.send(approve('a2', 'p2'));
    world.now += 1_000;
    world.review('p2');
    expect(endingOf(world, 'p2')).toEqual({ why: 'not_started', approver: 'reviewer', waitsFor: ['p1'] });
  });

  it('O-45, O-15: a withdrawal', () => {
    const world = reviewed([]);
    world.send(withdraw('w1', 'p1'));
    expect(endingOf(world)).toEqual({ why: 'withdrawn', by: 'agent', reason: 'changed my mind' });
  });

  it('O-45, O-31: a withdrawal because of a rejection names the one that counted, not the last one', () => {
    const world = reviewed([]);
    world.send(reject('r1', 'p1', 'ann', 'unsafe'));
    world.now += 1;
    world.send(reject('r2', 'p1', 'other', 'busy'));
    world.send(withdraw('w1', 'p1', 'agent', 'declined'));
    expect(endingOf(world)).toEqual({ why: 'rejected', by: 'ann', reason: 'unsafe' });
  });

  it('O-45, O-23: an unknown outcome says who did not answer, or who does not know', () => {
    const world = reviewed([]);
    world.send(fulfil('f1', 'p1'));
    world.present.delete('tools');
    world.review('p1');
    expect(world.proposal('p1').outcome).toMatchObject({ cause: 'executor_left', by: 'tools' });
    world.present.add('tools');
    world.send(propose('p2'));
    world.send(fulfil('f2', 'p2'));
    world.send(answer('x2', 'f2', { error: { code: 1, message: '?', data: { outcome: 'unknown' } } }));
    expect(world.proposal('p2').outcome).toEqual({
      result: 'unknown',
      cause: 'executor_lost_it',
      by: 'tools',
      response: 'x2',
      at: world.now,
    });
  });

  it('O-45, O-17: every remark has its reason and its sender', () => {
    const world = reviewed([]);
    world.send(withMessage(reject('r1', 'p1', 'bob', 'other'), 'ask me tomorrow'));
    world.send(status('s1', 'p1', 'unable', 'tools'));
    expect(viewProposal(world.proposal('p1'))).toMatchObject({
      rejections: { bob: { reason: 'other', message: 'ask me tomorrow' } },
      statuses: { tools: { status: 'unable' } },
    });
  });
});
