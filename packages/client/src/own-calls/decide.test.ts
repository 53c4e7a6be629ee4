import { describe, expect, it } from 'vitest';
import type { CallCommand } from './call-events.js';
import { approvedRound, endedCall, isOpen, windowSince } from './call-state.js';
import { CALLED_OFF, WENT_AWAY } from './decide.js';
import type { OwnCallOutcome } from './outcome.js';
import { FACTS, givenCall } from './testing/given-call.js';

const STORE: CallCommand = { type: 'store' };
const BEGIN: CallCommand = { type: 'begin' };
const join = (number: number): CallCommand => ({ type: 'join', caller: { number, isTold: true } });
const leave = (caller: number): CallCommand => ({ type: 'leave', caller });
const park = (number: number, owner = 'me', isTask = true): CallCommand => ({
  type: 'join',
  caller: { number, isTold: false, comesBack: { owner, isTask } },
});
const approve = (number: number, more = {}): CallCommand => ({
  type: 'approve',
  approval: { number, by: 'reviewer', arguments: { amount: 1, ...more } },
});
const RAN: OwnCallOutcome = { type: 'ran', result: {}, by: 'reviewer', edit: [] };
const UNKNOWN: OwnCallOutcome = { type: 'unknown', why: 'the server went away' };
const REJECTED: OwnCallOutcome = { type: 'rejected', rejections: [{ by: 'reviewer', reason: 'policy' }] };

const waiting = () => givenCall().when(join(1)).when(STORE);
const parked = () => waiting().when(leave(1));

describe('waiting call', () => {
  it('is stored, parked when its last caller leaves, and waits again when one comes', () => {
    givenCall()
      .when(join(1))
      .leadsTo('asked')
      .when(STORE)
      .leadsTo('waiting')
      .when(join(2))
      .when(leave(1))
      .leadsTo('waiting');
    parked().leadsTo('parked').when(join(2)).leadsTo('waiting');
    givenCall().when(STORE).leadsTo('parked');
  });

  it('O-40: tells waiting callers about an offer, and keeps waiting; a started call accepts none', () => {
    const offer = { id: 'c1', by: 'reviewer', reason: 'safer', edit: [] };
    waiting()
      .when(park(2))
      .when({ type: 'offer', offer })
      .leadsTo('waiting', { type: 'offer', caller: 1 })
      .when(approve(11))
      .when({ type: 'offer', offer })
      .leadsTo('running');
  });

  it('I-2: runs for its last caller when it is approved, and a second approval does not run', () => {
    const running = waiting().when(join(2)).when(approve(10));
    running.leadsTo('running', {
      type: 'run',
      caller: 2,
      approval: { number: 10, edit: [], by: 'reviewer', arguments: { amount: 1 } },
    });
    running.when(approve(11)).leadsTo('running', { type: 'refuse', approval: 11, why: { type: 'too-late' } });
  });

  it("O-13: reports the approver's changes, and does not run what the rules deny", () => {
    const edit = [{ path: '/amount', before: 1, after: 2 }];
    const [run] = waiting()
      .when(approve(10, { amount: 2 }))
      .leadsTo('running', { type: 'run' }).effects;
    expect(run).toMatchObject({ approval: { edit } });
    waiting()
      .when(approve(10, { forbidden: true }))
      .leadsTo(
        'answered',
        { type: 'tell', outcome: { type: 'denied', reason: 'forbidden' } },
        { type: 'refuse', approval: 10, why: { type: 'change-denied', reason: 'forbidden' } },
      );
  });

  it('sends the outcome to everyone who waits, and keeps those who come back for it', () => {
    const ended = waiting().when(join(2)).when(park(3)).when({ type: 'end', outcome: REJECTED });
    ended.leadsTo('answered', { type: 'tell', caller: 1 }, { type: 'tell', caller: 2 });
    expect(ended.state.callers.map(({ number }) => number)).toEqual([3]);
  });

  it('O-19: expires on its own if the gateway does not report it', () => {
    waiting()
      .when({ type: 'expire' })
      .leadsTo('answered', { type: 'tell', outcome: { type: 'expired' } });
  });
});

describe('call without a caller', () => {
  it('O-15: is withdrawn when the window ends, and is not run afterwards', () => {
    const given = parked();
    const over = given.when({ type: 'end-window', since: given.state.aloneSince ?? -1 });
    over.leadsTo('withdrawing', { type: 'withdraw', reason: WENT_AWAY });
    expect(isOpen(over.state)).toBe(false);
    over
      .when(approve(10))
      .leadsTo('answered', { type: 'refuse', why: { type: 'nobody-waits', reason: WENT_AWAY } });
  });

  it('is not withdrawn by a window that began before a caller returned', () => {
    const given = parked();
    const since = given.state.aloneSince ?? -1;
    given.when(join(2)).when(leave(2)).when({ type: 'end-window', since }).leadsTo('parked');
  });

  it('waits with an approval, and runs it for the next caller', () => {
    const approved = parked().when(approve(10)).leadsTo('approved');
    approved.when(approve(11)).leadsTo('approved', { type: 'refuse', approval: 11 });
    approved
      .when(join(2))
      .leadsTo('approved', { type: 'begin-soon' })
      .when(BEGIN)
      .leadsTo('running', { type: 'run', caller: 2 });
    approved.when(join(2)).when(leave(2)).when(BEGIN).leadsTo('approved');
  });

  it('drops a waiting approval when the window ends, or the space ends the call', () => {
    const approved = parked().when(approve(10));
    approved
      .when({ type: 'end-window', since: approved.state.aloneSince ?? -1 })
      .leadsTo(
        'answered',
        { type: 'refuse', approval: 10, why: { type: 'nobody-waits', reason: WENT_AWAY } },
        { type: 'withdraw' },
      );
    approved.when({ type: 'end', outcome: UNKNOWN }).leadsTo('unknown', { type: 'refuse', approval: 10 });
  });

  it("is cancelled at once by a caller that no longer wants it, unless it is someone's task", () => {
    parked().when({ type: 'call-off' }).leadsTo('withdrawing', { type: 'withdraw', reason: CALLED_OFF });
    waiting().when({ type: 'call-off' }).leadsTo('waiting');
    parked().when({ type: 'take-as-task' }).when({ type: 'call-off' }).leadsTo('parked');
  });
});

describe('running call', () => {
  it("ends with the server's answer, and with nothing else", () => {
    const running = waiting().when(approve(10));
    for (const command of [
      { type: 'end', outcome: REJECTED },
      { type: 'expire' },
      { type: 'cancel', reason: CALLED_OFF },
      { type: 'dismiss', owner: 'me' },
      { type: 'end-window', since: 0 },
    ] satisfies CallCommand[])
      running.when(command).leadsTo('running');
    const left = running.when(leave(1)).leadsTo('running');
    expect(windowSince(left.state)).toBeUndefined();
    left.when({ type: 'finish', outcome: RAN }).leadsTo('answered');
  });

  it('O-23: is unknown when the server goes away, until someone was told', () => {
    const unknown = waiting().when(approve(10)).when(leave(1)).when({ type: 'finish', outcome: UNKNOWN });
    unknown.leadsTo('unknown');
    expect(windowSince(unknown.state)).toBeUndefined();
    const told = unknown.when(join(2)).leadsTo('unknown', { type: 'tell', caller: 2, outcome: UNKNOWN });
    expect(told.when({ type: 'hear', isTold: true }).state.isHeard).toBe(true);
    expect(told.when({ type: 'hear', isTold: false }).state).toMatchObject({
      isHeard: false,
      isEarlier: true,
    });
  });
});

describe('task', () => {
  it('ends for its owner alone when it is cancelled while others wait for the same call', () => {
    const shared = waiting()
      .when({ type: 'take-as-task' })
      .when(park(2))
      .when({
        type: 'join',
        caller: { number: 3, isTold: true, comesBack: { owner: 'me', isTask: true } },
      });
    const dismissed = shared.when({ type: 'dismiss', owner: 'me' });
    dismissed.leadsTo('waiting', { type: 'dismiss', caller: 3 });
    expect(dismissed.state).toMatchObject({ isTask: false, callers: [{ number: 1 }] });
    dismissed
      .when(leave(1))
      .when({ type: 'dismiss', owner: 'me' })
      .leadsTo('withdrawing', { type: 'withdraw' });
  });
});

describe('call of an earlier run', () => {
  it('delivers its outcome to a caller that repeats it', () => {
    givenCall(endedCall(FACTS, RAN, 0))
      .when(join(1))
      .leadsTo('answered', { type: 'tell', caller: 1, outcome: RAN });
    expect(givenCall(endedCall(FACTS, RAN, 0)).state.isEarlier).toBe(true);
  });

  it('runs an approved later round for the caller that brings the answers', () => {
    const round = approvedRound(
      { ...FACTS, round: 2 },
      { number: 0, by: 'r', arguments: FACTS.arguments },
      0,
    );
    givenCall(round).when(join(1)).when(BEGIN).leadsTo('running', { type: 'run', caller: 1 });
  });
});
