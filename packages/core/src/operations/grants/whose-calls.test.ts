import { describe, expect, it } from 'vitest';
import { reviewed } from '../testing/reviewed.js';
import {
  accept,
  announce,
  counter,
  createWorld,
  fulfil,
  grant,
  message,
  propose,
  type World,
} from '../testing/world.js';
import { grantsInForce } from './grant.js';

const WRITE = 'mcp.request.tools/call:write_file';
const code = (decision: ReturnType<World['send']>) => decision.refused?.code;

describe('the calls that a grant covers', () => {
  function world(settings: { readonly selfFulfilment?: boolean } = {}): World {
    const made = createWorld(['agent', 'reviewer', 'ann', 'tools'], settings);
    made.capabilities.set('agent', ['mcp.proposal.*']);
    made.capabilities.set('ann', ['chat.message']);
    made.send(announce('n1', 'tools', ['write_file']));
    made.take(propose('p1'));
    return made;
  }

  it("O-29, O-41: exclude others' proposals: fulfilling one would be approving it", () => {
    const space = world();
    space.take(grant('g1', [WRITE], { uses: 1 }, { to: 'ann' }));
    expect(code(space.take(fulfil('f1', 'p1', { from: 'ann' })))).toBe('not_approver');
    expect(space.proposal('p1').phase).toBe('pending');
    expect(grantsInForce(space.space, space.now)).toMatchObject([{ id: 'g1', left: 1 }]);
  });

  it("O-24, O-41: are the holder's own, including proposed ones if the space lets proposers fulfil", () => {
    const space = world({ selfFulfilment: true });
    space.take(grant('g1', [WRITE], { uses: 1 }));
    const decision = space.take(fulfil('f1', 'p1', { from: 'agent' }));
    expect(space.types(decision)).toEqual(['grant_used', 'fulfilled']);
    expect(space.records.at(-1)).toMatchObject({ type: 'fulfilled', facts: { grant: 'g1' } });
  });
});

describe('a grant under a policy', () => {
  it('O-28, O-41: is not an approval, and runs nothing that needs one', () => {
    const space = reviewed();
    space.capabilities.set('other', ['chat.message']);
    space.people.set('other', { roles: ['finance'] });
    space.take(grant('g1', ['mcp.request.*'], {}, { to: 'other' }));
    expect(code(space.take(fulfil('f1', 'p1', { from: 'other' })))).toBe('not_approver');
    const params = { name: 'write_file', arguments: { path: '/tmp/a' } };
    const unasked = message('other', 'm1', WRITE, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(code(space.take(unasked))).toBe('approval_required');
    expect(space.proposal('p1').approvals).toEqual([]);
  });

  it("O-40, O-41: for accepting counter-offers lets their authors' approval count", () => {
    const space = reviewed();
    space.capabilities.set('agent', ['mcp.proposal.*']);
    space.take(grant('g1', ['mcpx.accept.counter'], { uses: 1 }, { from: 'ann' }));
    space.take(counter('c1', 'p1', { from: 'ann', executor: 'tools' }));
    expect(space.types(space.take(accept('a1', 'c1')))).toEqual(['grant_used', 'counter_accepted']);
    expect(space.proposal('p1').approvals).toMatchObject([{ by: 'ann' }]);
  });
});
