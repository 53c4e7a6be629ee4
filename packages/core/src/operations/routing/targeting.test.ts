import { describe, expect, it } from 'vitest';
import { nextDeadline } from '../proposal/proposal.js';
import { createWorld, fulfil, propose, reject } from '../testing/world.js';

const PEOPLE = ['agent', 'trusted', 'second', 'other', 'tools'];

describe('O-18: addressees that will not act', () => {
  it('O-18: are reported as soon as the last one has rejected, and only once', () => {
    const world = createWorld(PEOPLE);
    world.send(propose('p1', {}, { to: ['trusted', 'second'] }));
    expect(world.types(world.send(reject('r1', 'p1', 'trusted', 'busy')))).toEqual(['rejected']);
    expect(world.types(world.send(reject('r2', 'p1', 'second', 'busy')))).toEqual(['rejected', 'declined']);
    expect(world.types(world.send(reject('r3', 'p1', 'second', 'policy')))).toEqual(['rejected']);
    expect(world.types(world.review('p1'))).toEqual([]);
    expect(world.records.at(-2)?.envelope).toMatchObject({
      kind: 'system.notice',
      payload: { notice: 'declined', final: false, rejectedBy: ['trusted', 'second'], unansweredBy: [] },
    });
  });

  it('O-18, O-32: an offline one has not rejected: the proposer is told, and the wait continues', () => {
    const world = createWorld(['agent', 'tools']);
    const decision = world.send(propose('p1', {}, { to: ['trusted'] }));
    expect(world.types(decision)).toEqual(['proposed', 'addressees_absent']);
    expect(world.proposal('p1')).toMatchObject({ phase: 'pending', declined: false });
    world.present.add('trusted');
    expect(world.types(world.send(fulfil('f1', 'p1', { from: 'trusted' })))).toEqual(['fulfilled']);
  });

  it('O-32: the last one has not rejected either if it leaves', () => {
    const world = createWorld(PEOPLE);
    world.send(propose('p1', {}, { to: ['trusted', 'second'] }));
    world.send(reject('r1', 'p1', 'trusted'));
    world.present.delete('second');
    expect(world.types(world.review('p1'))).toEqual([]);
  });

  it('O-18: the proposal stays pending, so anyone with the capability may still fulfil it', () => {
    const world = createWorld(PEOPLE);
    world.send(propose('p1', {}, { to: ['trusted'] }));
    world.send(reject('r1', 'p1', 'trusted'));
    expect(world.proposal('p1').phase).toBe('pending');
    expect(world.types(world.send(fulfil('f1', 'p1', { from: 'other' })))).toEqual(['fulfilled']);
  });

  it('O-18: the proposer is not waited for, even if it addresses itself', () => {
    const world = createWorld(PEOPLE);
    world.send(propose('p1', {}, { to: ['agent', 'trusted'] }));
    expect(world.types(world.send(reject('r1', 'p1', 'trusted')))).toEqual(['rejected', 'declined']);
  });

  it('O-32: the absent ones of several are reported at once', () => {
    const world = createWorld(PEOPLE);
    const decision = world.send(propose('p1', {}, { to: ['trusted', 'ghost'] }));
    expect(world.types(decision)).toEqual(['proposed', 'addressees_absent']);
    expect(world.records.at(-1)?.envelope).toMatchObject({
      kind: 'system.notice',
      payload: { notice: 'addressees_absent', absent: ['ghost'], proposal: 'p1' },
    });
  });

  it('O-18: a broadcast has no addressees to wait for', () => {
    const world = createWorld(PEOPLE);
    world.send(propose('p1'));
    expect(world.types(world.send(reject('r1', 'p1', 'trusted')))).toEqual(['rejected']);
  });
});

describe('O-38: routing by capability', () => {
  const capable = { targeting: { capable: true } };

  it('O-38: addresses those present who could fulfil it, and names them in the record', () => {
    const world = createWorld(PEOPLE);
    world.capabilities.set('trusted', ['mcp.request.tools/call:write_*']);
    world.capabilities.set('second', ['mcp.request.tools/call:read_*']);
    world.capabilities.set('ghost', ['*']);
    world.send(propose('p1', capable));
    expect(world.records.at(-1)?.facts).toMatchObject({ addressees: ['trusted'] });
    expect(world.types(world.send(reject('r1', 'p1', 'trusted')))).toEqual(['rejected', 'declined']);
  });

  it('O-38: addresses somebody whose capability has addressees', () => {
    const world = createWorld(PEOPLE);
    world.capabilities.set('trusted', [{ kind: 'mcp.request.*', to: ['tools'] }]);
    world.send(propose('p1', capable));
    expect(world.records.at(-1)?.facts).toMatchObject({ addressees: ['trusted'] });
  });

  it('O-38: if nobody qualifies, a notice says so at once, and it stays open', () => {
    const world = createWorld(PEOPLE);
    expect(world.types(world.send(propose('p1', capable)))).toEqual(['proposed', 'nobody_capable']);
    expect(world.proposal('p1').phase).toBe('pending');
  });
});

describe('O-20: targeting', () => {
  const exclusive = (more = {}) => ({
    targeting: { preferred: ['trusted'], exclusive: true, exclusive_timeout: 3_000, ...more },
  });

  it('O-20: plain `to` prefers, and excludes nobody', () => {
    const world = createWorld(PEOPLE);
    world.send(propose('p1', {}, { to: ['trusted'] }));
    expect(world.proposal('p1').targeting).toEqual({
      preferred: ['trusted'],
      exclusive: false,
      fallback: true,
    });
    expect(world.types(world.send(fulfil('f1', 'p1', { from: 'other' })))).toEqual(['fulfilled']);
  });

  it('O-20: exclusive is reserved for the preferred, and says until when to others', () => {
    const world = createWorld(PEOPLE);
    world.send(propose('p1', exclusive()));
    expect(world.send(fulfil('f1', 'p1', { from: 'other' })).refused).toMatchObject({
      code: 'reserved',
      details: { preferred: ['trusted'], until: world.now + 3_000 },
    });
    expect(world.types(world.send(fulfil('f2', 'p1', { from: 'trusted' })))).toEqual(['fulfilled']);
  });

  it('O-20: after the window anyone may, whether or not a timer has run', () => {
    const world = createWorld(PEOPLE);
    world.send(propose('p1', exclusive()));
    world.now += 3_000;
    expect(world.types(world.send(fulfil('f1', 'p1', { from: 'other' })))).toEqual(['opened', 'fulfilled']);
  });

  it('O-20: the end of the window is announced once', () => {
    const world = createWorld(PEOPLE);
    world.send(propose('p1', exclusive()));
    expect(nextDeadline(world.proposal('p1'))).toBe(world.now + 3_000);
    world.now += 3_000;
    expect(world.types(world.review('p1'))).toEqual(['opened']);
    expect(world.types(world.review('p1'))).toEqual([]);
    expect(world.records.at(-1)?.envelope.payload).toMatchObject({ notice: 'opened', wasFor: ['trusted'] });
  });

  it('O-20: the window ends early if all the preferred have rejected', () => {
    const world = createWorld(PEOPLE);
    world.send(propose('p1', exclusive({ preferred: ['trusted', 'second'] })));
    world.send(reject('r1', 'p1', 'trusted', 'busy'));
    expect(world.send(fulfil('f1', 'p1', { from: 'other' })).refused?.code).toBe('reserved');
    const decision = world.send(reject('r2', 'p1', 'second', 'busy'));
    expect(world.types(decision)).toEqual(['rejected', 'declined', 'opened']);
    expect(world.types(world.send(fulfil('f2', 'p1', { from: 'other' })))).toEqual(['fulfilled']);
  });

  it('O-20: or are absent, if the proposer does not want to wait for them', () => {
    const world = createWorld(['agent', 'other', 'tools']);
    const decision = world.send(propose('p1', exclusive({ quick_reject: true })));
    expect(world.types(decision)).toEqual(['proposed', 'addressees_absent', 'opened']);
  });

  it('O-20, O-32: the window lasts as long as it says for those who are offline, and they may come back in time', () => {
    const world = createWorld(['agent', 'other', 'tools']);
    for (const id of ['p1', 'p2'])
      expect(world.types(world.send(propose(id, exclusive())))).toEqual(['proposed', 'addressees_absent']);
    world.now += 2_999;
    expect(world.types(world.review('p1'))).toEqual([]);
    expect(world.send(fulfil('f1', 'p1', { from: 'other' })).refused?.code).toBe('reserved');
    world.present.add('trusted');
    expect(world.types(world.send(fulfil('f2', 'p1', { from: 'trusted' })))).toEqual(['fulfilled']);
    world.present.delete('trusted');
    world.now += 1;
    expect(world.types(world.review('p2'))).toEqual(['opened']);
  });

  it('O-20, O-32: a preferred participant without the capability counts as offline', () => {
    const world = createWorld(PEOPLE);
    world.capabilities.set('trusted', ['mcp.request.tools/call:read_*']);
    expect(world.types(world.send(propose('p1', exclusive())))).toEqual(['proposed', 'opened']);
    world.capabilities.set('trusted', ['mcp.request.tools/call:write_*']);
    expect(world.types(world.send(propose('p2', exclusive())))).toEqual(['proposed']);
  });

  it('O-20: a preferred participant whose capability has addressees is waited for', () => {
    const world = createWorld(PEOPLE);
    world.capabilities.set('trusted', [{ kind: 'mcp.request.*', to: ['tools'] }]);
    expect(world.types(world.send(propose('p1', exclusive())))).toEqual(['proposed']);
    const fulfilment = fulfil('f1', 'p1', { from: 'trusted', to: ['tools'] });
    expect(world.types(world.take(fulfilment))).toEqual(['fulfilled']);
  });

  it.each([
    ['the window is over', (world: ReturnType<typeof createWorld>) => void (world.now += 3_000)],
    ['the preferred leave', (world: ReturnType<typeof createWorld>) => void world.present.delete('trusted')],
  ])('O-20: without fallback it is declined for good when %s', (_, end) => {
    const world = createWorld(PEOPLE);
    world.send(propose('p1', exclusive({ fallback_to_broadcast: false, quick_reject: true })));
    end(world);
    expect(world.types(world.review('p1'))).toEqual(['declined']);
    expect(world.proposal('p1').phase).toBe('declined');
    expect(world.records.at(-1)?.envelope.payload).toMatchObject({ notice: 'declined', final: true });
    expect(world.send(fulfil('f1', 'p1', { from: 'trusted' })).refused).toMatchObject({
      code: 'proposal_not_pending',
      details: { state: 'declined' },
    });
  });

  it('O-20: without fallback a rejection by all the preferred is final', () => {
    const world = createWorld(PEOPLE);
    world.send(propose('p1', exclusive({ fallback_to_broadcast: false })));
    expect(world.types(world.send(reject('r1', 'p1', 'trusted')))).toEqual(['rejected', 'declined']);
    expect(world.proposal('p1').phase).toBe('declined');
  });

  it("O-20: an exclusive proposal without a window gets the space's default", () => {
    const world = createWorld(PEOPLE, { exclusiveTimeout: 1_234 });
    world.send(propose('p1', { targeting: { preferred: ['trusted'], exclusive: true } }));
    expect(world.proposal('p1').targeting?.until).toBe(world.now + 1_234);
  });

  it('O-20: fallback_timeout of a mere preference is announced, and reserves nothing', () => {
    const world = createWorld(PEOPLE);
    world.send(propose('p1', { targeting: { preferred: ['trusted'], fallback_timeout: 5_000 } }));
    world.now += 5_000;
    expect(world.types(world.review('p1'))).toEqual(['opened']);
  });

  it('O-20: expiry comes before the end of a longer window', () => {
    const world = createWorld(PEOPLE);
    world.send(propose('p1', { ...exclusive(), ttl: 1_000 }));
    expect(nextDeadline(world.proposal('p1'))).toBe(world.now + 1_000);
    world.now += 10_000;
    expect(world.types(world.review('p1'))).toEqual(['expired']);
  });

  it('O-20: whatever was due first comes first, however late the check is', () => {
    const world = createWorld(PEOPLE);
    world.send(propose('p1', { ...exclusive({ fallback_to_broadcast: false }), ttl: 60_000 }));
    world.send(propose('p2', { ...exclusive(), ttl: 60_000 }));
    world.now += 60_000;
    expect(world.types(world.review('p1'))).toEqual(['declined']);
    expect(world.types(world.review('p2'))).toEqual(['opened', 'expired']);
  });

  it('O-20: a window that has ended is no longer a deadline', () => {
    const world = createWorld(PEOPLE);
    world.send(propose('p1', exclusive()));
    world.now += 3_000;
    world.review('p1');
    expect(nextDeadline(world.proposal('p1'))).toBeUndefined();
  });

  it('O-20: an exclusive proposal uses fallback_timeout if exclusive_timeout is missing', () => {
    const world = createWorld(PEOPLE);
    const targeting = { preferred: ['trusted'], exclusive: true, fallback_timeout: 5_000 };
    world.send(propose('p1', { targeting }));
    expect(world.proposal('p1').targeting?.until).toBe(world.now + 5_000);
  });

  it('O-20: `preferred` comes before `to`, and both are addressed', () => {
    const world = createWorld(PEOPLE);
    world.send(propose('p1', exclusive(), { to: ['second'] }));
    expect(world.proposal('p1')).toMatchObject({
      targeting: { preferred: ['trusted'] },
      addressees: ['second', 'trusted'],
    });
    expect(world.send(fulfil('f1', 'p1', { from: 'second' })).refused?.code).toBe('reserved');
  });

  it('O-20, O-24: a proposal that only its proposer may fulfil is refused', () => {
    const world = createWorld(PEOPLE);
    const decision = world.send(propose('p1', exclusive({ preferred: ['agent'] })));
    expect(decision.refused?.details).toMatchObject({ field: 'payload.targeting.preferred' });
  });
});
