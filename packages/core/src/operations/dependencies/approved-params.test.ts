import { describe, expect, it } from 'vitest';
import { operationDigest } from '../proposal/decide-propose.js';
import { reviewed } from '../testing/reviewed.js';
import { accept, answer, approve, counter, message, propose, SAFER, type World } from '../testing/world.js';

/** Runs `p1`, which settles ok. */
function runFirst(world: World): void {
  world.send(approve('a1', 'p1'));
  world.send(answer('x1', world.proposal('p1').fulfilment?.request ?? ''));
}

describe('O-37: what runs is what was approved', () => {
  it('O-37: nothing runs while approvals are paused, and everything once they are resumed', () => {
    const world = reviewed([]);
    world.send(propose('p2', { depends_on: ['p1'] }));
    world.send(approve('a2', 'p2'));
    world.send(approve('a1', 'p1'));
    world.send(message('reviewer', 's1', 'mcpx.pause.approvals', {}));
    world.send(answer('x1', world.proposal('p1').fulfilment?.request ?? ''));
    expect(world.proposal('p2')).toMatchObject({ phase: 'approved', dependencies: { waitsFor: [] } });
    world.send(message('reviewer', 's2', 'mcpx.resume.approvals', {}));
    expect(world.types(world.review('p2'))).toEqual(['fulfilled']);
  });

  it('O-37, O-40: after an accepted counter-offer its params run, whatever else the acceptance says', () => {
    const world = reviewed([]);
    world.send(propose('p2', { depends_on: ['p1'] }));
    world.send(counter('c1', 'p2'));
    const params = { name: 'write_file', arguments: { path: '/etc/passwd', text: 'x' } };
    expect(world.types(world.send(accept('k1', 'c1', 'agent', { params })))).toEqual(['counter_accepted']);
    runFirst(world);
    const ran = world.records.findLast(({ type }) => type === 'fulfilled');
    expect(ran?.envelope.payload['params']).toEqual(SAFER);
    expect(ran?.facts).toMatchObject({ ranDigest: operationDigest('tools/call', SAFER), counter: 'c1' });
  });

  it('O-37, O-29: a request without params approves the call without params', () => {
    const world = reviewed([]);
    const listing = { method: 'tools/list', params: { cursor: 'x' }, depends_on: ['p1'] };
    world.send(message('agent', 'p2', 'mcp.proposal.tools/list', listing));
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const about = { correlationId: 'p2', to: ['tools'] };
    world.send(message('reviewer', 'f2', 'mcp.request.tools/list', request, about));
    runFirst(world);
    const ran = world.records.findLast(({ type }) => type === 'fulfilled');
    expect(ran?.facts).toMatchObject({ proposal: 'p2', ranDigest: operationDigest('tools/list', undefined) });
    expect(ran?.envelope.payload).not.toHaveProperty('params');
  });
});
