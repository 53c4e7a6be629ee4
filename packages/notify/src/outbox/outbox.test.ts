import { defined } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { quietUntil } from '../follow/route.js';
import { decide, nextMoment, type OutboxCommand } from './decide.js';
import { evolve } from './evolve.js';
import {
  EMPTY_OUTBOX,
  type Outbox,
  type OutboxMessage,
  type OutboxSettings,
  type Summary,
} from './outbox.js';
import { type OutboxEvent, storeOutbox } from './records.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON = Date.parse('2026-03-10T12:00:00Z');

const NIGHT = { from: 22 * 60, to: 7 * 60, zone: 'Europe/Berlin' };

const PLAIN: OutboxSettings = { digest: 0, quietUntil: () => undefined, updates: true };

const about = (proposal: string, expiresAt?: number): Summary => ({
  proposal,
  space: 'main',
  proposer: 'agent',
  method: 'tools/call',
  shown: [],
  isWhole: true,
  digest: `sha256:${proposal}`,
  proposedAt: NOON,
  ...defined({ expiresAt }),
});

/** One outbox with a clock. Each command returns the resulting events. */
function open(settings: OutboxSettings = PLAIN) {
  let outbox: Outbox = EMPTY_OUTBOX;
  let now = NOON;
  let seq = 0;
  const tell = (command: OutboxCommand): readonly OutboxEvent[] => {
    const events = decide(outbox, command, { now, settings, name: 'main/alice/mail' });
    for (const event of events) outbox = evolve(outbox, event, now);
    return events;
  };
  const waiting = (): readonly OutboxMessage[] => [...outbox.messages.values()];
  return {
    tell,
    waiting,
    get state() {
      return outbox;
    },
    at(time: number) {
      now = time;
      return tell({ type: 'look' });
    },
    ask: (proposal: string, expiresAt?: number) =>
      tell({ type: 'ask', about: about(proposal, expiresAt), seq: ++seq }),
    end: (proposal: string) =>
      tell({ type: 'end', proposal, ending: { ended: 'fulfilled', by: 'bob' }, seq: ++seq }),
    next: () => nextMoment(outbox, settings, now),
    /** Sends the first message that is due, and reports the result. */
    send(how: 'sent' | 'failed' = 'sent') {
      const due = waiting().find(({ dueAt }) => dueAt <= now);
      if (due === undefined) return undefined;
      tell({ type: 'begin', message: due.id, by: 'here', until: now + MINUTE });
      if (how === 'sent')
        tell({ type: 'sent', message: due.id, by: 'here', receipt: `receipt of ${due.id}` });
      else tell({ type: 'failed', message: due.id, by: 'here', why: 'refused', final: false });
      return due;
    },
  };
}

describe('an outbox', () => {
  it('notifies of each proposal once, however often its record is read', () => {
    const outbox = open();
    outbox.tell({ type: 'ask', about: about('p1'), seq: 7 });
    outbox.tell({ type: 'ask', about: about('p1'), seq: 7 });
    expect(outbox.waiting()).toHaveLength(1);
    outbox.send();
    outbox.tell({ type: 'end', proposal: 'p1', ending: { ended: 'expired' }, seq: 9 });
    outbox.send();
    expect(outbox.tell({ type: 'ask', about: about('p1'), seq: 7 })).toEqual([]);
    expect(outbox.waiting()).toEqual([]);
    expect(outbox.state.threads.size).toBe(0);
  });

  it('derives the same message id whoever decides', () => {
    const [first, second] = [open(), open()];
    first.ask('p1');
    second.ask('p1');
    expect(first.waiting()[0]?.id).toBe(second.waiting()[0]?.id);
  });

  it('lets one sender try at a time, and another if that one goes silent', () => {
    const outbox = open();
    outbox.ask('p1');
    const [{ id } = { id: '' }] = outbox.waiting();
    expect(outbox.tell({ type: 'begin', message: id, by: 'one', until: NOON + MINUTE })).toHaveLength(1);
    expect(outbox.tell({ type: 'begin', message: id, by: 'two', until: NOON + MINUTE })).toEqual([]);
    outbox.at(NOON + MINUTE);
    expect(outbox.tell({ type: 'begin', message: id, by: 'two', until: NOON + 2 * MINUTE })).toHaveLength(1);
    expect(outbox.tell({ type: 'sent', message: id, by: 'one' })).toEqual([]);
    expect(outbox.tell({ type: 'sent', message: id, by: 'two' })).toHaveLength(1);
  });

  it('retries with growing pauses, and parks after a day', () => {
    const outbox = open();
    outbox.ask('p1');
    const pauses: number[] = [];
    let now = NOON;
    while (outbox.send('failed') !== undefined) {
      const next = outbox.waiting()[0]?.dueAt;
      if (next === undefined) break;
      pauses.push(next - now);
      now = next;
      outbox.at(now);
    }
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(outbox.state.parked).toMatchObject([{ why: 'refused', message: { kind: 'asked' } }]);
    expect(now - NOON).toBeGreaterThan(12 * HOUR);
    expect(now - NOON).toBeLessThanOrEqual(24 * HOUR);
  });

  it('combines proposals within the digest time of the last message', () => {
    const outbox = open({ ...PLAIN, digest: 15 * MINUTE });
    outbox.ask('p1');
    expect(outbox.send()?.proposals).toEqual(['p1']);
    outbox.at(NOON + MINUTE);
    outbox.ask('p2');
    outbox.ask('p3');
    expect(outbox.send()).toBeUndefined();
    expect(outbox.next()).toBe(NOON + 15 * MINUTE);
    outbox.at(NOON + 15 * MINUTE);
    expect(outbox.send()?.proposals).toEqual(['p2', 'p3']);
  });

  it('leaves out proposals decided before their notification was sent', () => {
    const outbox = open({ ...PLAIN, digest: 15 * MINUTE });
    outbox.ask('p1');
    outbox.send();
    outbox.ask('p2');
    outbox.ask('p3');
    outbox.end('p2');
    outbox.at(NOON + 15 * MINUTE);
    expect(outbox.send()?.proposals).toEqual(['p3']);
    outbox.ask('p4');
    outbox.end('p4');
    expect(outbox.waiting()).toEqual([]);
  });

  it('reports the outcome of a proposal it has asked about, even while the question is being sent', () => {
    const outbox = open();
    outbox.ask('p1');
    outbox.send();
    outbox.end('p1');
    expect(outbox.send()).toMatchObject({ kind: 'ended', ending: { ended: 'fulfilled', by: 'bob' } });

    outbox.ask('p2');
    const [{ id } = { id: '' }] = outbox.waiting();
    outbox.tell({ type: 'begin', message: id, by: 'here', until: NOON + MINUTE });
    outbox.end('p2');
    outbox.tell({ type: 'sent', message: id, by: 'here', receipt: 'ts-2' });
    expect(outbox.state.threads.get('p2')?.receipt).toBe('ts-2');
    expect(outbox.send()).toMatchObject({ kind: 'ended', proposals: ['p2'] });
    expect(outbox.state.threads.size).toBe(0);
  });

  it('drops a proposal that ended while the first attempt failed', () => {
    const outbox = open();
    outbox.ask('p1');
    const [{ id } = { id: '' }] = outbox.waiting();
    outbox.tell({ type: 'begin', message: id, by: 'here', until: NOON + MINUTE });
    outbox.end('p1');
    outbox.tell({ type: 'failed', message: id, by: 'here', why: 'refused', final: false });
    expect(outbox.waiting()).toEqual([]);
    expect(outbox.state.threads.size).toBe(0);
  });

  it('reminds once before expiry, if the proposal is still pending', () => {
    const outbox = open({ ...PLAIN, remind: 10 * MINUTE });
    outbox.ask('p1', NOON + HOUR);
    outbox.send();
    expect(outbox.next()).toBe(NOON + 50 * MINUTE);
    outbox.at(NOON + 50 * MINUTE);
    outbox.at(NOON + 51 * MINUTE);
    expect(outbox.waiting()).toMatchObject([{ kind: 'reminder', proposals: ['p1'] }]);
    outbox.send();
    expect(outbox.next()).toBeUndefined();
  });

  it('reminds once more after a renewal, at the new time', () => {
    const outbox = open({ ...PLAIN, remind: 10 * MINUTE });
    outbox.ask('p1', NOON + HOUR);
    outbox.send();
    outbox.at(NOON + 50 * MINUTE);
    const first = outbox.send();
    outbox.tell({ type: 'renew', proposal: 'p1', expiresAt: NOON + 3 * HOUR, seq: 50 });
    expect(outbox.next()).toBe(NOON + 170 * MINUTE);
    outbox.at(NOON + 170 * MINUTE);
    const second = outbox.send();
    expect([first?.kind, second?.kind]).toEqual(['reminder', 'reminder']);
    expect(second?.id).not.toBe(first?.id);
  });

  it('neither asks nor reminds anyone who has already decided', () => {
    const outbox = open({ ...PLAIN, remind: 10 * MINUTE, digest: 15 * MINUTE });
    outbox.ask('p1', NOON + HOUR);
    outbox.send();
    outbox.ask('p2');
    outbox.tell({ type: 'leave', proposal: 'p1', seq: 50 });
    outbox.tell({ type: 'leave', proposal: 'p2', seq: 51 });
    expect(outbox.waiting()).toEqual([]);
    expect(outbox.next()).toBeUndefined();
    outbox.tell({ type: 'end', proposal: 'p1', ending: { ended: 'fulfilled', by: 'bob' }, seq: 52 });
    expect(outbox.send()).toMatchObject({ kind: 'ended', proposals: ['p1'] });
  });

  it('keeps the receipt of the first message about a single proposal', () => {
    const outbox = open({ ...PLAIN, digest: 15 * MINUTE, remind: MINUTE });
    outbox.ask('p1', NOON + HOUR);
    const first = outbox.send();
    outbox.ask('p2', NOON + HOUR);
    outbox.ask('p3', NOON + HOUR);
    outbox.at(NOON + 15 * MINUTE);
    outbox.send();
    expect(outbox.state.threads.get('p2')?.receipt).toBeUndefined();
    outbox.at(NOON + 59 * MINUTE);
    outbox.send();
    expect(outbox.state.threads.get('p1')?.receipt).toBe(`receipt of ${first?.id}`);
  });

  it('stays quiet at night and sends everything in the morning', () => {
    const outbox = open({ ...PLAIN, remind: HOUR, quietUntil: quietUntil(NIGHT) });
    const night = Date.parse('2026-03-10T23:30:00+01:00');
    outbox.at(night);
    outbox.ask('p1');
    outbox.ask('p2', night + HOUR);
    expect(outbox.send()).toBeUndefined();
    outbox.tell({ type: 'end', proposal: 'p2', ending: { ended: 'expired' }, seq: 99 });
    const morning = Date.parse('2026-03-11T07:00:00+01:00');
    expect(outbox.next()).toBe(morning);
    outbox.at(morning);
    expect(outbox.send()?.proposals).toEqual(['p1']);
  });

  it('is the same after a checkpoint', () => {
    const outbox = open({ ...PLAIN, digest: 15 * MINUTE, remind: MINUTE });
    outbox.ask('p1', NOON + HOUR);
    outbox.send();
    outbox.ask('p2');
    const stored = JSON.parse(JSON.stringify(storeOutbox(outbox.state)));
    const restored = evolve(EMPTY_OUTBOX, { type: 'checkpoint', outbox: stored }, NOON);
    expect(storeOutbox(restored)).toEqual(storeOutbox(outbox.state));
  });
});

describe('quiet hours', () => {
  const LUNCH = { from: 12 * 60, to: 13 * 60, zone: 'UTC' };
  it.each([
    [NIGHT, '2026-03-10T21:00:00Z', '2026-03-11T06:00:00Z'],
    [NIGHT, '2026-03-10T12:00:00Z', undefined],
    [LUNCH, '2026-03-10T12:59:30Z', '2026-03-10T13:00:00Z'],
    // The clocks go forward at 02:00 on the first night, and back at 03:00 on the second.
    [NIGHT, '2026-03-28T22:00:00Z', '2026-03-29T05:00:00Z'],
    [NIGHT, '2026-10-24T21:00:00Z', '2026-10-25T06:00:00Z'],
  ])('%j at %s end at %s', (hours, moment, end) => {
    const until = quietUntil(hours)(Date.parse(moment));
    expect(until === undefined ? undefined : new Date(until).toISOString().replace('.000', '')).toBe(end);
  });
});

describe('an attempt without a reported outcome', () => {
  it('I-1: may have arrived, so the outcome is reported even if the next attempt fails', () => {
    const outbox = open();
    outbox.ask('p1');
    const id = outbox.waiting()[0]?.id ?? '';
    outbox.tell({ type: 'begin', message: id, by: 'first', until: NOON + MINUTE });
    // The first sender is gone, and nobody knows whether it got through.
    outbox.at(NOON + 2 * MINUTE);
    outbox.tell({ type: 'begin', message: id, by: 'second', until: NOON + 3 * MINUTE });
    outbox.end('p1');
    outbox.tell({ type: 'failed', message: id, by: 'second', why: '503', final: false });
    expect(outbox.waiting().map(({ kind }) => kind)).toContain('ended');
  });
});
