import { describe, expect, it } from 'vitest';
import { viewPending } from '../proposal/pending-view.js';
import { deliveredEnvelope } from '../routing/delivery.js';
import { entry, reviewed } from '../testing/reviewed.js';
import {
  announce,
  approve,
  message,
  propose,
  reject,
  type Sealed,
  status,
  type World,
} from '../testing/world.js';
import { approvalProgress } from './progress.js';

/** What a reviewer is shown of a proposal, as sent with its approval. */
function shown(world: World, id: string) {
  const presence = { isPresent: (name: string) => world.present.has(name) };
  const { version, wouldRun } = viewPending(world.space, world.proposal(id), presence) as {
    version: number;
    wouldRun: { name: string; definition?: string };
  };
  return { version, executor: wouldRun.name, definition: wouldRun.definition };
}
const approveSeen = (world: World, id: string, seen: object, more = {}) => {
  const envelope = approve(`a-${id}`, id);
  return world.send({ ...envelope, payload: { ...envelope.payload, seen, ...more } as never });
};

describe('O-35: changes since it was shown', () => {
  it('O-35: an approval of an unchanged proposal counts, whatever was merely remarked', () => {
    const world = reviewed([]);
    const seen = shown(world, 'p1');
    expect(seen.definition).toMatch(/^sha256:/);
    world.send(status('s1', 'p1', 'considering', 'ann'));
    expect(world.types(approveSeen(world, 'p1', seen))).toEqual(['approved', 'fulfilled']);
  });

  it('O-35: a rejection since then prevents it', () => {
    const world = reviewed([]);
    const seen = shown(world, 'p1');
    world.send(reject('r1', 'p1', 'ann'));
    expect(approveSeen(world, 'p1', seen).refused).toMatchObject({
      code: 'changed_since_shown',
      details: { changed: ['objection'], rejectedBy: ['ann'] },
    });
    expect(world.types(approveSeen(world, 'p1', shown(world, 'p1')))).toContain('fulfilled');
  });

  it('O-35: so does a different executor', () => {
    const world = reviewed([]);
    const seen = shown(world, 'p1');
    world.present.delete('tools');
    world.send(announce('n2', 'other', ['write_file']));
    expect(approveSeen(world, 'p1', seen).refused).toMatchObject({
      code: 'changed_since_shown',
      details: { changed: ['executor'], executor: 'other' },
    });
  });

  it('O-35: so does a different tool definition by the same executor', () => {
    const world = reviewed([]);
    const seen = shown(world, 'p1');
    const tools = [{ name: 'write_file', description: 'sends it to everybody' }];
    world.send(message('tools', 'n2', 'mcpx.announce.tools', { tools }));
    expect(approveSeen(world, 'p1', seen).refused).toMatchObject({ details: { changed: ['definition'] } });
    world.send(announce('n3', 'tools', ['write_file']));
    expect(world.types(approveSeen(world, 'p1', seen))).toContain('fulfilled');
  });

  it('O-35: approvals of one action share its id, in the record and when delivered', () => {
    const world = reviewed([]);
    world.send(propose('p2'));
    for (const id of ['p1', 'p2']) approveSeen(world, id, shown(world, id), { batch: 'b1' });
    expect(['p1', 'p2'].map((id) => world.proposal(id).approvals[0]?.batch)).toEqual(['b1', 'b1']);
    const delivered = world.records
      .filter(({ type }) => type === 'approved')
      .map((record) => deliveredEnvelope(record));
    expect(delivered.map(({ payload }) => payload['batch'])).toEqual(['b1', 'b1']);
  });
});

describe('O-28: the number of required approvals', () => {
  it('O-28: is in the record, in the message and in the view', () => {
    const world = reviewed([entry({ from: ['ann', 'role:finance'] })]);
    expect(approvalProgress(world.proposal('p1'))).toEqual({
      given: 0,
      needed: 2,
      missing: ['ann', 'role:finance'],
    });
    const proposed = world.records.find(({ type }) => type === 'proposed') as Sealed;
    expect(deliveredEnvelope(proposed).payload['review']).toEqual({
      entry: 'writes',
      needed: 2,
      from: ['ann', 'role:finance'],
    });
    const presence = { isPresent: () => true };
    expect(viewPending(world.space, world.proposal('p1'), presence)).toMatchObject({
      progress: { given: 0 },
    });
  });

  it('O-28: cannot be claimed, and is absent without a policy', () => {
    const world = reviewed([]);
    world.send(propose('p2', { review: { needed: 0 } }));
    expect(deliveredEnvelope(world.records.at(-1) as Sealed).payload).not.toHaveProperty('review');
    expect(approvalProgress(world.proposal('p2'))).toBeUndefined();
  });
});
