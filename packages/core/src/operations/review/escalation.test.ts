import { describe, expect, it } from 'vitest';
import { evolveProposal } from '../proposal/evolve-proposal.js';
import { nextDeadline } from '../proposal/proposal.js';
import { reaches } from '../routing/delivery.js';
import { seesProposal } from '../routing/visibility.js';
import { entry } from '../testing/reviewed.js';
import { announce, approve, createWorld, propose, type Sealed } from '../testing/world.js';

const MINUTE = 60_000;

function escalating() {
  const world = createWorld(['agent', 'ann', 'boss', 'tools'], {
    review: [
      {
        name: 'writes',
        call: 'mcp.request.tools/call:write_*',
        proposers: [],
        approvals: 1,
        from: ['ann'],
        veto: false,
        escalate: [
          { after: 10 * MINUTE, to: ['boss'] },
          { after: 60 * MINUTE, to: [] },
        ],
      },
    ],
  });
  for (const name of ['ann', 'boss']) world.capabilities.set(name, ['*']);
  world.send(announce('n1', 'tools', ['write_file']));
  world.send(propose('p1'));
  return world;
}

describe('O-33: without a decision', () => {
  it('O-33: others are asked on time, once, and their approval counts', () => {
    const world = escalating();
    expect(world.send(approve('a1', 'p1', { from: 'boss' })).refused?.code).toBe('not_approver');
    expect(nextDeadline(world.proposal('p1'))).toBe(world.now + 10 * MINUTE);
    world.now += 10 * MINUTE;
    expect(world.types(world.review('p1'))).toEqual(['escalated']);
    expect(world.types(world.review('p1'))).toEqual([]);
    expect(world.records.at(-1)?.envelope.payload).toMatchObject({ notice: 'escalated', to: ['boss'] });
    expect(world.types(world.send(approve('a2', 'p1', { from: 'boss' })))).toEqual(['approved', 'fulfilled']);
  });

  it('O-33: the last step declines it', () => {
    const world = escalating();
    world.now += 60 * MINUTE;
    expect(world.types(world.review('p1'))).toEqual(['escalated', 'declined']);
    expect(world.proposal('p1').phase).toBe('declined');
    expect(world.records.at(-1)?.envelope.payload).toMatchObject({ why: 'unanswered', final: true });
  });

  it('O-33: overdue steps happen at the next check, whoever makes it', () => {
    const world = escalating();
    world.now += 20 * MINUTE;
    expect(world.types(world.send(approve('a1', 'p1', { from: 'boss' })))).toEqual([
      'escalated',
      'approved',
      'fulfilled',
    ]);
  });

  it('O-33: steps due before the expiry come first, however late the check is', () => {
    const world = escalating();
    world.send(propose('p2', { ttl: 90 * MINUTE }));
    world.send(propose('p3', { ttl: 20 * MINUTE }));
    world.now += 120 * MINUTE;
    expect(world.types(world.review('p2'))).toEqual(['escalated', 'declined']);
    expect(world.types(world.review('p3'))).toEqual(['escalated', 'expired']);
  });

  it('O-33, I-3: it survives a restart: the steps are in the record', () => {
    const world = escalating();
    const stored = world.records.filter(({ stream }) => stream === 'main/proposal/p1');
    const folded = stored.reduce<ReturnType<typeof evolveProposal> | undefined>(
      (state, record) => evolveProposal(state, record as Parameters<typeof evolveProposal>[1]),
      undefined,
    );
    expect(folded?.escalation).toEqual(world.proposal('p1').escalation);
  });

  it('O-33, O-43: those asked by role get the notice and see the proposal, even with restricted visibility', () => {
    const review = [entry({ from: ['ann'], approvals: 1, escalate: [{ after: MINUTE, to: ['role:boss'] }] })];
    const world = createWorld(['agent', 'ann', 'meg', 'tools'], { review, visibility: 'addressed' });
    world.capabilities.set('meg', ['*']);
    world.people.set('meg', { roles: ['boss'] });
    world.send(announce('n1', 'tools', ['write_file']));
    world.send(propose('p1', {}, { to: ['ann'] }));
    const boss = { name: 'meg', routing: 'directed', observer: false, roles: ['boss'] } as const;
    const { settings } = world.space;
    expect(world.send(approve('a1', 'p1', { from: 'meg' })).refused?.code).toBe('unknown_proposal');
    world.now += MINUTE;
    expect(world.types(world.review('p1'))).toEqual(['escalated']);
    const notice = world.records.at(-1) as Sealed;
    expect(reaches(notice, boss, settings)).toBe(true);
    expect(reaches(notice, { ...boss, roles: ['clerk'] }, settings)).toBe(false);
    expect(seesProposal(world.proposal('p1'), boss, settings)).toBe(true);
    expect(seesProposal(world.proposal('p1'), { ...boss, roles: [] }, settings)).toBe(false);
    expect(world.types(world.send(approve('a2', 'p1', { from: 'meg' })))).toEqual(['approved', 'fulfilled']);
    expect(reaches(world.records.at(-1) as Sealed, boss, settings)).toBe(true);
  });
});
