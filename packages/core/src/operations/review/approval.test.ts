import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json/json.js';
import { viewPending } from '../proposal/pending-view.js';
import { deliveredEnvelope } from '../routing/delivery.js';
import { entry, reviewed } from '../testing/reviewed.js';
import {
  announce,
  answer,
  approve,
  fulfil,
  message,
  propose,
  reject,
  type Sealed,
  type World,
} from '../testing/world.js';

const OTHER: JsonObject = { name: 'write_file', arguments: { path: '/tmp/b', text: 'hello' } };
const last = (world: World) => deliveredEnvelope(world.records.at(-1) as Sealed);

describe('O-29: approving by the digest', () => {
  it('O-29: without a policy one approval is the fulfilment, by a request that the gateway derives', () => {
    const world = reviewed([]);
    expect(world.types(world.send(approve('a1', 'p1')))).toEqual(['approved', 'fulfilled']);
    const { fulfilment } = world.proposal('p1');
    expect(fulfilment).toMatchObject({ by: 'reviewer', executor: 'tools', amendment: [] });
    expect(last(world)).toMatchObject({
      id: expect.stringMatching(/^system:/),
      from: 'reviewer',
      to: ['tools'],
      kind: 'mcp.request.tools/call:write_file',
      correlationId: 'p1',
      payload: { jsonrpc: '2.0', method: 'tools/call', params: world.proposal('p1').params },
    });
    world.send(answer('x1', fulfilment?.request ?? ''));
    expect(world.proposal('p1').phase).toBe('settled');
  });

  it('O-29: a capability with addressees is enough for an approval that names one of them as executor', () => {
    const world = reviewed([]);
    world.capabilities.set('reviewer', [{ kind: 'mcp.request.*', to: ['tools'] }]);
    for (const chosen of [{}, { executor: 'shell' }])
      expect(world.send(approve('a1', 'p1', chosen)).refused).toMatchObject({
        code: 'capability_violation',
      });
    expect(world.types(world.send(approve('a2', 'p1', { executor: 'tools' })))).toEqual([
      'approved',
      'fulfilled',
    ]);
  });

  it('O-29: derived requests have different ids, whatever the ids they come from', () => {
    const world = reviewed([]);
    world.send(propose('p'));
    world.send(propose('p#a'));
    world.send(approve('a#b', 'p'));
    world.send(approve('b', 'p#a'));
    const [one, other] = ['p', 'p#a'].map((id) => world.proposal(id).fulfilment?.request);
    expect(one).toBeDefined();
    expect(other).toBeDefined();
    expect(one).not.toBe(other);
  });

  it('O-29: repeating an approval is a duplicate; another one is too late', () => {
    const world = reviewed([]);
    world.send(approve('a1', 'p1'));
    expect(world.send(approve('a1', 'p1')).unchanged).toBe('duplicate');
    expect(world.send(approve('a2', 'p1', { from: 'ann' })).refused).toMatchObject({
      code: 'proposal_not_pending',
      details: { by: 'reviewer' },
    });
  });

  it('O-29: nobody approves what they did not see', () => {
    const world = reviewed([]);
    const wrong = approve('a1', 'p1', { digest: 'sha256:0' });
    expect(world.send(wrong).refused).toMatchObject({
      code: 'digest_mismatch',
      details: { expected: world.proposal('p1').digest },
    });
    const changed = approve('a2', 'p1', { params: OTHER, digest: world.proposal('p1').digest });
    expect(world.send(changed).refused?.code).toBe('digest_mismatch');
    expect(world.types(world.send(approve('a3', 'p1', { params: OTHER })))).toEqual([
      'approved',
      'fulfilled',
    ]);
    expect(world.proposal('p1').fulfilment?.amendment).toHaveLength(1);
  });

  it('O-29: requires the capability for what would run, and the same tool', () => {
    const world = reviewed([]);
    world.capabilities.set('ann', ['mcpx.approve.proposal']);
    expect(world.send(approve('a1', 'p1', { from: 'ann' })).refused?.code).toBe('capability_violation');
    const another = approve('a2', 'p1', { params: { name: 'remove_file' } });
    expect(world.send(another).refused?.code).toBe('kind_mismatch');
  });
});

describe('O-28: as many approvals as the policy requires', () => {
  it('O-28, O-29: the completing approval is the fulfilment; the one before says who is missing', () => {
    const world = reviewed();
    expect(world.types(world.send(approve('a1', 'p1', { from: 'ann' })))).toEqual(['approved']);
    expect(last(world)).toMatchObject({
      kind: 'mcpx.approve.proposal',
      payload: { given: 1, needed: 2, missing: ['bob', 'role:finance'] },
    });
    expect(world.proposal('p1').phase).toBe('pending');
    expect(world.types(world.send(approve('a2', 'p1', { from: 'bob' })))).toEqual(['approved', 'fulfilled']);
    expect(world.records.at(-1)?.facts).toMatchObject({ entry: 'writes' });
  });

  it('O-29: an insufficient request counts as an approval and reaches no executor', () => {
    const world = reviewed();
    expect(world.types(world.send(fulfil('f1', 'p1', { from: 'ann' })))).toEqual(['approved']);
    expect(last(world)).toMatchObject({ id: 'f1', kind: 'mcpx.approve.proposal' });
    expect(last(world)).not.toHaveProperty('to');
    expect(world.types(world.send(fulfil('f2', 'p1', { from: 'bob' })))).toEqual(['fulfilled']);
    expect(last(world)).toMatchObject({ id: 'f2', to: ['tools'] });
  });

  it('O-29: each digest is counted separately', () => {
    const world = reviewed();
    world.send(approve('a1', 'p1', { from: 'ann' }));
    expect(world.types(world.send(approve('a2', 'p1', { from: 'bob', params: OTHER })))).toEqual([
      'approved',
    ]);
    expect(world.types(world.send(approve('a3', 'p1', { from: 'ann', params: OTHER })))).toEqual([
      'approved',
      'fulfilled',
    ]);
    expect(world.proposal('p1').fulfilment?.amendment).toHaveLength(1);
  });

  it('O-29: the first approval fixes the executor', () => {
    const world = reviewed();
    world.send(announce('n2', 'other', ['write_file']));
    world.send(approve('a1', 'p1', { from: 'ann', executor: 'tools' }));
    const elsewhere = approve('a2', 'p1', { from: 'bob', executor: 'other' });
    expect(world.send(elsewhere).refused).toMatchObject({
      code: 'executor_changed',
      details: { executor: 'tools' },
    });
  });

  it('O-29: it also fixes the addressees of a call without a tool', () => {
    const world = reviewed([entry({ call: 'mcp.request.sampling/createMessage' })]);
    const call = { method: 'sampling/createMessage', params: { messages: [] } };
    world.send(message('agent', 'p2', `mcp.proposal.${call.method}`, call));
    const request = (id: string, from: string, to: readonly string[]) =>
      message(
        from,
        id,
        `mcp.request.${call.method}`,
        { jsonrpc: '2.0', id: 1, ...call },
        { correlationId: 'p2', to },
      );
    world.send(request('f1', 'ann', ['tools', 'other']));
    expect(world.send(request('f2', 'bob', ['reviewer', 'cleo'])).refused).toMatchObject({
      code: 'executor_changed',
      details: { runBy: ['tools', 'other'] },
    });
    world.send(request('f3', 'bob', ['other', 'tools']));
    expect(world.proposal('p2').phase).toBe('fulfilled');
  });

  it('O-29: an approval without an executor means the fixed one, and is shown it', () => {
    const world = reviewed();
    world.send(announce('n2', 'other', ['write_file']));
    world.send(approve('a1', 'p1', { from: 'ann', executor: 'other' }));
    const view = viewPending(world.space, world.proposal('p1'), { isPresent: () => true });
    expect(view['wouldRun']).toMatchObject({ name: 'other' });
    world.send(approve('a2', 'p1', { from: 'bob' }));
    expect(world.proposal('p1').fulfilment?.executor).toBe('other');
  });

  it('O-29: an approval of other params does not fix the executor of these', () => {
    const world = reviewed([entry({ from: ['ann', 'bob', 'cleo'] })]);
    world.send(announce('n2', 'other', ['write_file']));
    world.send(approve('a0', 'p1', { from: 'cleo', params: OTHER, executor: 'other' }));
    world.present.delete('other');
    world.send(approve('a1', 'p1', { from: 'ann' }));
    world.send(approve('a2', 'p1', { from: 'bob' }));
    expect(world.proposal('p1').fulfilment?.executor).toBe('tools');
  });

  it('O-29: a rejection withdraws an approval, until the policy is met', () => {
    const world = reviewed();
    world.send(approve('a1', 'p1', { from: 'ann' }));
    world.send(reject('r1', 'p1', 'ann', 'busy'));
    expect(world.proposal('p1').approvals).toEqual([]);
    expect(world.types(world.send(approve('a2', 'p1', { from: 'bob' })))).toEqual(['approved']);
  });

  it('O-29, O-30: an approval can be withdrawn with any token of the same person', () => {
    const world = reviewed([entry({ from: ['ann', 'bob', 'cleo'] })]);
    for (const name of ['ann', 'cleo']) world.people.set(name, { subject: 'ann@example.com' });
    world.send(approve('a1', 'p1', { from: 'ann' }));
    world.send(reject('r1', 'p1', 'cleo', 'busy'));
    expect(world.proposal('p1').approvals).toEqual([]);
    world.send(approve('a2', 'p1', { from: 'bob' }));
    expect(world.proposal('p1').phase).toBe('pending');
  });

  it('O-28: roles count, and outsiders do not', () => {
    const world = reviewed();
    expect(world.send(approve('a1', 'p1', { from: 'cleo' })).refused).toMatchObject({
      code: 'not_approver',
      details: { entry: 'writes', from: ['ann', 'bob', 'role:finance'] },
    });
    world.people.set('cleo', { roles: ['finance'] });
    world.send(approve('a2', 'p1', { from: 'cleo' }));
    expect(world.records.at(-1)?.facts).toMatchObject({ entry: 'writes', roles: ['finance'], given: 1 });
  });

  it('O-28: the basis of the completing request is recorded', () => {
    const world = reviewed();
    world.people.set('bob', { subject: 'bob@example.com', roles: ['finance'] });
    world.send(approve('a1', 'p1', { from: 'ann' }));
    world.send(fulfil('f1', 'p1', { from: 'bob' }));
    expect(world.records.at(-1)).toMatchObject({
      type: 'fulfilled',
      facts: { entry: 'writes', subject: 'bob@example.com', roles: ['finance'], given: 2, needed: 2 },
    });
  });

  it('O-28: the first matching entry counts, by the params that would run', () => {
    const path = (pattern: string) => ({
      kind: 'mcp.request.tools/call:write_file',
      payload: { params: { arguments: { path: pattern } } },
    });
    const world = reviewed([
      entry({ name: 'tmp', call: path('/tmp/b'), approvals: 1, from: [] }),
      entry({ name: 'all' }),
    ]);
    world.send(approve('a1', 'p1', { from: 'ann' }));
    expect(world.records.at(-1)?.facts).toMatchObject({ entry: 'all' });
    expect(world.types(world.send(approve('a2', 'p1', { from: 'cleo', params: OTHER })))).toEqual([
      'approved',
      'fulfilled',
    ]);
    expect(world.records.at(-1)?.facts).toMatchObject({ entry: 'tmp' });
  });

  it('O-28: an entry may be limited to some proposers', () => {
    const world = reviewed([entry({ proposers: ['role:intern'] })]);
    expect(world.types(world.send(fulfil('f1', 'p1')))).toEqual(['fulfilled']);
    world.people.set('agent', { roles: ['intern'] });
    world.send(propose('p2'));
    expect(world.send(fulfil('f2', 'p2')).refused?.code).toBe('not_approver');
  });

  it.each([
    ['nobody may make the call unasked', entry(), 'ann', 'approval_required'],
    ['unless one approval suffices and it is theirs', entry({ approvals: 1 }), 'ann', undefined],
    ["and not someone else's", entry({ approvals: 1 }), 'cleo', 'approval_required'],
  ])('O-28: a request that fulfils no proposal: %s', (_, one, from, code) => {
    const world = reviewed([one]);
    const { correlationId: _about, ...request } = fulfil('f1', '', { from });
    expect(world.send(request).refused?.code).toBe(code);
    expect(world.types(world.send({ ...request, id: 'f2', correlationId: 'nothing' })).length).toBe(
      code === undefined ? 1 : 0,
    );
  });
});

describe('O-44: a participant that may only review', () => {
  it('O-44: approves, and makes no request of its own', () => {
    const world = reviewed([]);
    world.people.set('ann', { reviewOnly: true });
    const { correlationId: _about, ...unasked } = fulfil('f1', '', { from: 'ann' });
    for (const request of [unasked, { ...unasked, id: 'f0', correlationId: 'nothing' }]) {
      expect(world.send(request).refused?.code).toBe('review_only');
      // From anyone else it is an ordinary call.
      expect(world.types(world.send({ ...request, id: `${request.id}-bob`, from: 'bob' })).length).toBe(1);
    }
    expect(world.types(world.send(fulfil('f2', 'p1', { from: 'ann' })))).toEqual(['fulfilled']);
    expect(world.send(fulfil('f3', 'p1', { from: 'ann' })).refused?.code).toBe('proposal_not_pending');
    world.send(propose('p2'));
    expect(world.types(world.send(approve('a1', 'p2', { from: 'ann' })))).toEqual(['approved', 'fulfilled']);
  });
});

describe('O-30: nobody approves their own proposal', () => {
  it('O-30: not the proposer, whatever else the space allows', () => {
    const world = reviewed([entry({ from: [] })], { selfFulfilment: true });
    world.capabilities.set('agent', ['*']);
    expect(world.send(approve('a1', 'p1', { from: 'agent' })).refused?.code).toBe('self_fulfilment');
  });

  it('O-30: not another token of the same person', () => {
    const world = reviewed();
    world.people.set('agent', { subject: 'ann@example.com' });
    world.people.set('ann', { subject: 'ann@example.com' });
    world.send(propose('p2'));
    expect(world.send(approve('a1', 'p2', { from: 'ann' })).refused?.code).toBe('self_fulfilment');
  });

  it('O-30: two tokens of one person are one approval', () => {
    const world = reviewed();
    for (const name of ['ann', 'bob']) world.people.set(name, { subject: 'ann@example.com' });
    world.send(approve('a1', 'p1', { from: 'ann' }));
    expect(world.send(approve('a2', 'p1', { from: 'bob' })).refused).toMatchObject({
      code: 'already_approved',
      details: { by: 'ann' },
    });
    // Known as somebody else meanwhile, it has still approved.
    world.people.set('ann', { subject: 'someone@example.com' });
    expect(world.send(approve('a3', 'p1', { from: 'ann' })).refused?.code).toBe('already_approved');
    expect(world.proposal('p1').phase).toBe('pending');
  });
});
