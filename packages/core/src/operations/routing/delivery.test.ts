import { describe, expect, it } from 'vitest';
import {
  answer,
  chat,
  createWorld,
  fulfil,
  propose,
  reject,
  type Sealed,
  status,
  withdraw,
} from '../testing/world.js';
import { deliveredEnvelope, namesReachedBy, reaches } from './delivery.js';

const follows = (name: string, more: { routing?: 'all' | 'directed'; observer?: boolean } = {}) => ({
  name,
  routing: more.routing ?? 'all',
  observer: more.observer ?? false,
});

function settledWorld() {
  const world = createWorld(['agent', 'reviewer', 'tools', 'other']);
  world.send(propose('p1'));
  world.send(fulfil('f1', 'p1'));
  world.send({ ...answer('a1', 'f1'), kind: 'mcp.response', to: ['tools'] });
  return world;
}

describe('O-14: recipients of the answer', () => {
  it('O-14: are fulfiller and proposer, whatever its `to` says', () => {
    const record = settledWorld().records.at(-1);
    if (record === undefined) throw new Error('no record');
    for (const name of ['agent', 'reviewer']) {
      expect(reaches(record, follows(name, { routing: 'directed' }), { visibility: 'addressed' })).toBe(true);
    }
    expect(reaches(record, follows('other'), { visibility: 'addressed' })).toBe(false);
  });

  it('O-14: a response without its method is delivered with it', () => {
    expect(settledWorld().records.map(deliveredEnvelope).at(-1)?.kind).toBe('mcp.response.tools/call');
  });
});

describe('O-21: visibility', () => {
  const world = createWorld(['agent', 'reviewer', 'tools', 'other']);
  world.send(chat('c1', 'agent', 'psst', { to: ['reviewer'] }));
  world.send(chat('c2', 'agent', 'hello all'));
  const [whisper, broadcast] = world.records;
  if (whisper === undefined || broadcast === undefined) throw new Error('no records');

  it('O-21: everyone sees everything', () => {
    expect(reaches(whisper, follows('other'), { visibility: 'all' })).toBe(true);
  });

  it('O-21: directed delivery includes broadcasts and messages addressed to the subscriber', () => {
    const directed = { routing: 'directed' } as const;
    expect(reaches(whisper, follows('other', directed), { visibility: 'all' })).toBe(false);
    expect(reaches(whisper, follows('reviewer', directed), { visibility: 'all' })).toBe(true);
    expect(reaches(broadcast, follows('other', directed), { visibility: 'all' })).toBe(true);
  });

  it('O-14, O-21: directed recipients are found by name, for every kind of record', () => {
    for (const record of [...settledWorld().records, whisper, broadcast]) {
      const names = namesReachedBy(record);
      for (const name of ['agent', 'reviewer', 'tools', 'other']) {
        const isReached = names === undefined || names.includes(name);
        expect(reaches(record, follows(name, { routing: 'directed' }), { visibility: 'all' })).toBe(
          isReached,
        );
        expect(reaches(record, follows(name), { visibility: 'addressed' })).toBe(isReached);
      }
    }
  });

  it('O-4: a sender gets its own message back, however it follows, as the acknowledgement', () => {
    const sender = follows('agent', { routing: 'directed' });
    expect(reaches(whisper, sender, { visibility: 'addressed' })).toBe(true);
  });

  it.each([
    ['agent', false, true],
    ['reviewer', false, true],
    ['other', false, false],
    ['other', true, true],
  ])('O-21: in an addressed space %s (observer: %s) sees a private message: %s', (name, observer, seen) => {
    expect(reaches(whisper, follows(name, { observer }), { visibility: 'addressed' })).toBe(seen);
    expect(reaches(broadcast, follows(name, { observer }), { visibility: 'addressed' })).toBe(true);
  });

  it('O-21: a notice about a restricted proposal reaches only those concerned', () => {
    const quiet = createWorld(['agent', 'other']);
    quiet.send(propose('p1', {}, { to: ['reviewer'] }));
    const notice = quiet.records.at(-1);
    if (notice === undefined) throw new Error('no notice');
    expect(notice.envelope.to).toEqual(['agent', 'reviewer']);
    expect(reaches(notice, follows('other'), { visibility: 'addressed' })).toBe(false);
    expect(reaches(notice, follows('agent', { routing: 'directed' }), { visibility: 'addressed' })).toBe(
      true,
    );
  });

  it('O-21: the notice of an unknown outcome reaches the fulfiller, too', () => {
    const quiet = createWorld(['agent', 'reviewer', 'tools', 'other']);
    quiet.send(propose('p1', {}, { to: ['other'] }));
    quiet.send(fulfil('f1', 'p1'));
    quiet.present.delete('tools');
    quiet.review('p1');
    expect(quiet.records.at(-1)?.envelope.to).toEqual(['agent', 'other', 'reviewer', 'tools']);
  });
});

describe('O-43: messages about a proposal are visible to those who see the proposal', () => {
  const NAMES = ['agent', 'boss', 'reviewer', 'tools', 'stranger'];
  const quietly = () => createWorld(NAMES, { visibility: 'addressed' });
  const seenBy = (world: ReturnType<typeof createWorld>) =>
    world.records.map((record) =>
      NAMES.filter((name) =>
        reaches(record, { name, routing: 'all', observer: false }, world.space.settings),
      ),
    );

  it('O-43: whatever their own `to` says', () => {
    const world = quietly();
    world.send(propose('p1', {}, { to: ['boss', 'reviewer'] }));
    world.send({ ...reject('r1', 'p1', 'boss'), to: ['stranger'] });
    world.send(status('s1', 'p1', 'considering'));
    world.send(fulfil('f1', 'p1'));
    world.send({ ...answer('a1', 'f1'), to: ['stranger'] });
    const insiders = ['agent', 'boss', 'reviewer'];
    expect(seenBy(world)).toEqual([
      insiders,
      insiders,
      insiders,
      [...insiders, 'tools'],
      [...insiders, 'tools'],
    ]);
  });

  it('O-43: also to those who are preferred and not named in `to`', () => {
    const world = quietly();
    world.send(propose('p1', { targeting: { preferred: ['boss'] } }, { to: ['reviewer'] }));
    expect(seenBy(world)).toEqual([['agent', 'boss', 'reviewer']]);
  });

  it('O-43: messages about a broadcast proposal are for everyone', () => {
    const world = quietly();
    world.send(propose('p1'));
    world.send({ ...reject('r1', 'p1'), to: ['agent'] });
    expect(seenBy(world)).toEqual([NAMES, NAMES]);
  });

  it.each([
    ['a withdrawal', withdraw('x', 'p1', 'stranger')],
    ['a rejection', reject('x', 'p1', 'stranger')],
    ['a status', status('x', 'p1', 'queued', 'stranger')],
  ])('O-43: the proposal is unknown to an outsider, pending or ended: %s', (_, envelope) => {
    const world = quietly();
    world.send(propose('p1', {}, { to: ['reviewer'] }));
    const nothing = world.send({ ...envelope, correlationId: 'p0' }).refused;
    expect(world.send(envelope).refused).toEqual({
      ...nothing,
      message: nothing?.message.replace('p0', 'p1'),
      details: { proposals: ['p1'] },
    });
    world.send(withdraw('w1', 'p1'));
    expect(world.send(envelope).refused?.code).toBe('unknown_proposal');
  });

  it("O-43: an outsider's request refers to nothing, and its id is not compared with what it cannot see", () => {
    const world = quietly();
    world.send(propose('p1', {}, { to: ['reviewer'] }));
    expect(world.types(world.send(fulfil('f1', 'p1', { from: 'stranger' })))).toEqual(['said']);
    expect(world.proposal('p1').phase).toBe('pending');
    world.now += world.space.settings.dedupWindow;
    expect(world.types(world.send(chat('p1', 'stranger', 'hello')))).toEqual(['said']);
    expect(world.send(chat('p1', 'reviewer', 'hello')).refused?.code).toBe('id_conflict');
  });

  it('O-43: an observer sees it, and may decide it', () => {
    const world = quietly();
    world.observers.add('stranger');
    world.send(propose('p1', {}, { to: ['reviewer'] }));
    expect(world.types(world.send(fulfil('f1', 'p1', { from: 'stranger' })))).toEqual(['fulfilled']);
  });
});

describe('O-25: what runs is what was approved', () => {
  it('O-25: nothing but the params reaches the executor', () => {
    const world = createWorld();
    world.send(propose('p1'));
    const request = fulfil('f1', 'p1');
    world.send({ ...request, payload: { ...request.payload, _meta: { path: '/etc/passwd' }, extra: 1 } });
    const record = world.records.at(-1) as Sealed;
    expect(deliveredEnvelope(record).payload).toEqual(request.payload);
    expect(record.envelope.payload).toHaveProperty('extra');
  });
});
