import type { JsonValue } from '@proffer/core/json';
import { expect, it } from 'vitest';
import type { SharedStream } from '../peers/index.js';
import { createRemoteStreams } from './remote-streams.js';
import type { Stream } from './stream.js';

const shared = (change: Partial<SharedStream> = {}): SharedStream => ({
  opened: { id: 'm', payload: { stream_id: 'stream-g1-1', owner: 'owner' } },
  ...change,
});

function start() {
  const open = new Map<string, Stream>();
  const told: JsonValue[] = [];
  const elsewhere = createRemoteStreams({
    get: (id) => open.get(id),
    begin(stream) {
      open.set(stream.id, stream);
      told.push('open');
    },
    end(stream, reason) {
      open.delete(stream.id);
      told.push(reason);
    },
    replace(stream) {
      open.set(stream.id, stream);
    },
    tell: (_, { kind }) => void told.push(kind),
  });
  const hear = (number: number) => open.get('stream-g1-1')?.frames.hear('stream-g1', number);
  return { told, hear, elsewhere, open };
}

it("O-27: knows who writes to another gateway's stream, and keeps it when it moves to a new owner", () => {
  const { told, elsewhere, open } = start();
  const [before, after] = [elsewhere(), elsewhere()];
  before.update([shared({ sent: 0 })]);
  const payload = { stream_id: 'stream-g1-1', owner: 'friend', authorized_writers: ['friend', 'other'] };
  const moved = shared({ opened: { id: 'm', payload }, sent: 0 });
  const { sent: _, ...news } = shared({ ...moved, changed: { kind: 'stream.ownership-transferred' } });
  after.update([moved, news]);
  expect(open.get('stream-g1-1')).toMatchObject({ owner: 'friend', writers: ['friend', 'other'] });
  before.update([]);
  before.end();
  expect(told).toEqual(['open', 'stream.ownership-transferred']);
  after.end();
  expect(told).toEqual(['open', 'stream.ownership-transferred', 'owner_left']);
});

it("O-27: ends another gateway's stream as its owner says if nothing was missed", () => {
  const { told, hear, elsewhere } = start();
  const streams = elsewhere();
  streams.update([shared({ sent: 0 })]);
  hear(1);
  streams.update([shared({ sent: 1, closed: 'done' })]);
  streams.update([]);
  expect(told).toEqual(['open', 'done']);
});

it("O-27: interrupts another gateway's stream if its last frame was lost", () => {
  const { told, elsewhere } = start();
  const streams = elsewhere();
  streams.update([shared({ sent: 0 })]);
  streams.update([shared({ sent: 1 })]);
  streams.update([shared({ sent: 2, closed: 'done' })]);
  expect(told).toEqual(['open', 'interrupted', 'open', 'interrupted']);
});

it('O-27: closes a stream whose gateway was lost, and reopens it when that is back', () => {
  const { told, hear, elsewhere } = start();
  const before = elsewhere();
  before.update([shared({ sent: 0 })]);
  hear(1);
  hear(2);
  before.end();
  elsewhere().update([shared()]);
  expect(told).toEqual(['open', 'owner_left', 'open']);
  // The first one took another path. What was lost was lost while it was closed.
  expect([hear(1), hear(5)]).toEqual(['late', 'next']);
});

it('O-27: counts from the first frame that arrives if an earlier version lists a stream without its count', () => {
  const { told, hear, elsewhere } = start();
  const streams = elsewhere();
  streams.update([shared()]);
  expect([hear(6), hear(8)]).toEqual(['next', 'missed']);
  streams.update([shared({ sent: 8, closed: 'done' })]);
  expect(told).toEqual(['open', 'done']);
});

it('O-27: counts from where a listing says, and misses what is lost after it', () => {
  const { told, hear, elsewhere } = start();
  const streams = elsewhere();
  streams.update([shared({ sent: 4 })]);
  expect(hear(6)).toBe('missed');
  streams.update([shared({ sent: 7, closed: 'done' })]);
  expect(told).toEqual(['open', 'interrupted']);
});
