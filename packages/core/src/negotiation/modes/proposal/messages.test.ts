import { describe, expect, it } from 'vitest';
import { becomes, type Case } from '../../testing/cases.js';
import { given, type Story, sessionOf } from '../../testing/given.js';
import { accept, commit, counter, propose, reject, send, start, withdraw } from '../../testing/steps.js';
import { acceptedBy } from './negotiation.js';

const open = [start(), propose('seller', 'p1')];

function live(story: Story): ReadonlySet<string> {
  return new Set(sessionOf(story).negotiation.live.keys());
}

describe('permissions', () => {
  it.each([
    ['Proposal', propose('stranger', 'p2')],
    ['CounterProposal', counter('stranger', 'p2', 'p1')],
    ['Accept', accept('stranger', 'p1')],
    ['Reject', reject('stranger', 'p1')],
    ['Withdraw', withdraw('stranger', 'p1')],
    ['Commitment', commit('stranger')],
    ['an unknown message', send('stranger', 'Vote', {})],
  ])('I-4: %s by a stranger', (_, step) => {
    expect(given(...open).when(step).result).toBe('FORBIDDEN');
  });

  it.each<Case>([
    [
      'N-1: an initiator who is not a participant does not propose',
      [start({}, 'boss')],
      propose('boss', 'p'),
      'FORBIDDEN',
    ],
    [
      'I-4: a participant who is not the initiator does not commit',
      [...open, accept('seller', 'p1')],
      commit('seller'),
      'FORBIDDEN',
    ],
    ['N-1: a message type that the mode does not have', open, send('seller', 'Vote', {}), 'INVALID_ENVELOPE'],
  ])('%s', becomes);
});

describe('the messages', () => {
  it.each<Case>([
    ['N-12: a proposal needs an id', [start()], propose('seller', ''), 'INVALID_ENVELOPE'],
    ['N-12: a proposal id can be used once', open, propose('buyer', 'p1'), 'INVALID_ENVELOPE'],
    [
      'N-12: a withdrawn id stays taken',
      [...open, withdraw('seller', 'p1')],
      propose('seller', 'p1'),
      'INVALID_ENVELOPE',
    ],
    ['N-12: a counter needs its own id', open, counter('buyer', 'p1', 'p1'), 'INVALID_ENVELOPE'],
    ['N-12: a counter names what it counters', open, counter('buyer', 'p2', ''), 'INVALID_ENVELOPE'],
    ['N-12: a counter of an unknown proposal', open, counter('buyer', 'p2', 'p9'), 'INVALID_ENVELOPE'],
    ['N-12: a counter of itself', open, counter('buyer', 'p2', 'p2'), 'INVALID_ENVELOPE'],
    [
      'N-12: a counter of a withdrawn one',
      [...open, withdraw('buyer', 'p1')],
      counter('buyer', 'p2', 'p1'),
      'accepted',
    ],
    ['N-12: Accept of an unknown proposal', open, accept('buyer', 'p9'), 'INVALID_ENVELOPE'],
    [
      'N-12: Accept of a withdrawn one',
      [...open, withdraw('seller', 'p1')],
      accept('buyer', 'p1'),
      'INVALID_ENVELOPE',
    ],
    [
      'N-12: Accept of a countered one',
      [...open, counter('buyer', 'p2', 'p1')],
      accept('buyer', 'p1'),
      'INVALID_ENVELOPE',
    ],
    [
      'N-12: Reject of a withdrawn one',
      [...open, withdraw('seller', 'p1')],
      reject('buyer', 'p1'),
      'INVALID_ENVELOPE',
    ],
    [
      'N-12: Withdraw twice',
      [...open, withdraw('seller', 'p1')],
      withdraw('seller', 'p1'),
      'INVALID_ENVELOPE',
    ],
    ['N-12: any participant withdraws', open, withdraw('buyer', 'p1'), 'accepted'],
    ['N-12: ids like built-in property names', open, accept('buyer', 'constructor'), 'INVALID_ENVELOPE'],
    [
      'N-12: an id like __proto__',
      [...open, propose('seller', '__proto__')],
      accept('buyer', '__proto__'),
      'accepted',
    ],
    [
      'N-12: details that are not base64',
      [start()],
      send('seller', 'Proposal', { proposal_id: 'p', details: '?' }),
      'INVALID_ENVELOPE',
    ],
    [
      'N-12: a flag given as text',
      open,
      send('buyer', 'Reject', { proposal_id: 'p1', terminal: 'yes' }),
      'INVALID_ENVELOPE',
    ],
  ])('%s', becomes);

  it('N-12: a refusal names the field, what was found and what was expected', () => {
    const { decision } = given(...open).when(accept('buyer', 'p9'));
    expect(decision.refused?.details).toEqual({
      field: 'payload.proposal_id',
      found: '"p9", which does not exist in this session',
      expected: 'the id of a live proposal',
    });
    expect(decision.refused?.message).toContain(
      'payload.proposal_id is "p9", which does not exist in this session',
    );
  });

  it('N-12: a later Accept replaces the earlier; a counter and a Withdraw remove acceptances', () => {
    const both = given(...open, propose('buyer', 'p2'), accept('buyer', 'p1'), accept('buyer', 'p2'));
    expect(acceptedBy(sessionOf(both).negotiation, 'buyer')).toBe('p2');
    expect([...sessionOf(both).negotiation.acceptances]).toEqual([['p2', 1]]);
    const countered = both.when(counter('seller', 'p3', 'p2'));
    expect(live(countered)).toEqual(new Set(['p1', 'p3']));
    expect(acceptedBy(sessionOf(countered).negotiation, 'buyer')).toBeUndefined();
    const withdrawn = given(...open, accept('buyer', 'p1'), withdraw('seller', 'p1'));
    expect(acceptedBy(sessionOf(withdrawn).negotiation, 'buyer')).toBeUndefined();
  });
});
