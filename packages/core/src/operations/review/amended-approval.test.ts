import { describe, expect, it } from 'vitest';
import { announce, approve, createWorld, propose, reject, type World } from '../testing/world.js';
import type { ReviewEntry } from './policy.js';

const ETC = { name: 'write_file', arguments: { path: '/etc/passwd', text: 'x' } };

/** Writing to /etc has its own, stricter entry; anything else may be escalated to the lead. */
function twoEntries(strict: Partial<ReviewEntry> = {}): World {
  const names = ['agent', 'ann', 'lead', 'ciso', 'tools'];
  const kind = 'mcp.request.tools/call:write_file';
  const common = { proposers: [], approvals: 1, veto: false, escalate: [] };
  const world = createWorld(names, {
    review: [
      {
        ...common,
        name: 'etc',
        call: { kind, payload: { params: { arguments: { path: '/etc/**' } } } },
        from: ['ciso'],
        veto: true,
        ...strict,
      },
      { ...common, name: 'rest', call: kind, from: ['ann'], escalate: [{ after: 1000, to: ['lead'] }] },
    ],
  });
  for (const name of names) world.capabilities.set(name, ['*']);
  world.send(announce('n1', 'tools', ['write_file']));
  return world;
}

describe('O-28: amended params fall under their own entry', () => {
  it('O-28, O-33: an escalation gives no right under another entry', () => {
    const world = twoEntries();
    world.send(propose('p1'));
    world.now += 2000;
    world.review('p1');

    const amended = world.send(approve('a1', 'p1', { from: 'lead', params: ETC }));

    expect(amended.refused).toMatchObject({
      code: 'not_approver',
      details: { entry: 'etc', from: ['ciso'] },
    });
    world.send(approve('a2', 'p1', { from: 'lead' }));
    expect(world.proposal('p1').phase).toBe('fulfilled');
  });

  it.each(['ciso', 'role:security'])('O-31: a rejection by %s is a veto of what it may veto', (who) => {
    const world = twoEntries({ from: ['ann', who] });
    world.people.set('ciso', { roles: ['security'] });
    world.send(propose('p1'));
    world.send(reject('r1', 'p1', 'ciso'));

    const amended = world.send(approve('a1', 'p1', { from: 'ann', params: ETC }));

    expect(amended.refused).toMatchObject({ code: 'vetoed', details: { entry: 'etc', by: 'ciso' } });
    world.send(approve('a2', 'p1', { from: 'ciso', params: ETC }));
    expect(world.proposal('p1').phase, 'whoever vetoed it may still approve it').toBe('fulfilled');
  });

  it('O-31: a rejection is not a veto if the entry does not name its sender', () => {
    const world = twoEntries({ from: ['ann'] });
    world.send(propose('p1'));
    world.send(reject('r1', 'p1', 'ciso'));
    world.send(approve('a1', 'p1', { from: 'ann', params: ETC }));
    expect(world.proposal('p1').phase).toBe('fulfilled');
  });
});
