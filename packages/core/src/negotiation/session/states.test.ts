import { describe, expect, it } from 'vitest';
import { BEGINNING, given, type Story, sessionOf } from '../testing/given.js';
import {
  accept,
  as,
  at,
  callerNamed,
  commit,
  control,
  expire,
  propose,
  SESSION_ID,
  type Step,
  send,
  start,
  startPayload,
} from '../testing/steps.js';
import { explainEligibility } from './explain.js';
import { describeSession } from './reading.js';
import { expiresAfter, statusAt } from './session.js';

const DAY = 86_400_000;
const agreed: readonly Step[] = [
  start(),
  propose('seller', 'p1'),
  accept('seller', 'p1'),
  accept('buyer', 'p1'),
];

describe('states', () => {
  const cases: readonly (readonly [string, readonly Step[], Step, string, string])[] = [
    ['open: suspend', [start()], control('suspend', 'buyer'), 'accepted', 'SUSPENDED'],
    ['open: resume', [start()], control('resume', 'buyer'), 'SESSION_NOT_OPEN', 'OPEN'],
    ['open: cancel', [start()], control('cancel', 'buyer'), 'accepted', 'CANCELLED'],
    ['open: commit', agreed, commit('buyer'), 'accepted', 'RESOLVED'],
    [
      'suspended: resume',
      [start(), control('suspend', 'buyer')],
      control('resume', 'buyer'),
      'accepted',
      'OPEN',
    ],
    [
      'suspended: suspend',
      [start(), control('suspend', 'buyer')],
      control('suspend', 'buyer'),
      'SESSION_NOT_OPEN',
      'SUSPENDED',
    ],
    [
      'suspended: cancel',
      [start(), control('suspend', 'buyer')],
      control('cancel', 'buyer'),
      'accepted',
      'CANCELLED',
    ],
    [
      'suspended: commit',
      [...agreed, control('suspend', 'buyer')],
      commit('buyer'),
      'SESSION_NOT_OPEN',
      'SUSPENDED',
    ],
    [
      'suspended: propose',
      [start(), control('suspend', 'buyer')],
      propose('seller', 'p'),
      'SESSION_NOT_OPEN',
      'SUSPENDED',
    ],
    ['resolved: commit', [...agreed, commit('buyer')], commit('buyer'), 'SESSION_NOT_OPEN', 'RESOLVED'],
    [
      'resolved: cancel',
      [...agreed, commit('buyer')],
      control('cancel', 'buyer'),
      'SESSION_NOT_OPEN',
      'RESOLVED',
    ],
    [
      'resolved: suspend',
      [...agreed, commit('buyer')],
      control('suspend', 'buyer'),
      'SESSION_NOT_OPEN',
      'RESOLVED',
    ],
    ['resolved: expire', [...agreed, commit('buyer')], at(DAY, expire), 'late', 'RESOLVED'],
    [
      'cancelled: propose',
      [start(), control('cancel', 'buyer')],
      propose('seller', 'p'),
      'SESSION_NOT_OPEN',
      'CANCELLED',
    ],
    [
      'cancelled: cancel',
      [start(), control('cancel', 'buyer')],
      control('cancel', 'buyer'),
      'late',
      'CANCELLED',
    ],
    [
      'cancelled: resume',
      [start(), control('cancel', 'buyer')],
      control('resume', 'buyer'),
      'SESSION_NOT_OPEN',
      'CANCELLED',
    ],
    [
      'expired: cancel',
      [start(), at(60_001, expire)],
      control('cancel', 'buyer'),
      'SESSION_NOT_OPEN',
      'EXPIRED',
    ],
    ['expired: expire again', [start(), at(60_001, expire)], at(70_000, expire), 'late', 'EXPIRED'],
  ];
  it.each(cases)('N-4: %s', (_, before, step, result, status) => {
    const outcome = given(...before).when(step);
    expect(outcome.result).toBe(result);
    expect(sessionOf(outcome).status).toBe(status);
    expect(sessionOf(outcome).suspension !== undefined).toBe(status === 'SUSPENDED');
  });

  it('N-4: if everyone may speak for anyone, only the initiator and the principal that started it control it', () => {
    const anyone = { actAs: 'anyone' } as const;
    const desk = callerNamed('desk', anyone);
    const story = given(send('buyer', 'SessionStart', startPayload(), { by: desk }));
    expect(story.when(control('suspend', callerNamed('seller', anyone))).result).toBe('FORBIDDEN');
    expect(story.when(control('cancel', callerNamed('mallory', anyone))).result).toBe('SESSION_NOT_FOUND');
    expect(story.when(control('cancel', callerNamed('buyer', anyone))).result).toBe('accepted');
    expect(story.when(control('suspend', desk)).result).toBe('accepted');
  });

  it.each(['cancel', 'suspend', 'resume'] as const)('N-4, I-4: %s is for the initiator', (type) => {
    const story = given(start(), ...(type === 'resume' ? [control('suspend', 'buyer')] : []));
    expect(story.when(control(type, 'seller')).result).toBe('FORBIDDEN');
    expect(story.when(control(type, 'stranger')).decision).toEqual(
      given().when(control(type, 'stranger')).decision,
    );
    const otherMode = callerNamed('buyer', { allowedModes: ['macp.mode.task.v1'] });
    expect(story.when(control(type, otherMode)).result).toBe('FORBIDDEN');
    expect(story.when(control(type, callerNamed('desk', { actAs: ['buyer'] }))).result).toBe('accepted');
    expect(given().when(control(type, 'buyer')).result).toBe('SESSION_NOT_FOUND');
  });

  it('N-4: each adds an envelope of the runtime, the same whenever it is decided', () => {
    const story = given(
      start(),
      at(10, control('suspend', 'buyer', 'lunch')),
      at(30, control('resume', 'buyer')),
    );
    expect(story.records.slice(1).map(({ envelope }) => envelope)).toEqual([
      {
        macp_version: '1.0',
        mode: 'macp.mode.proposal.v1',
        message_type: 'SessionSuspend',
        message_id: `runtime:${SESSION_ID}:2`,
        session_id: SESSION_ID,
        sender: '_runtime',
        timestamp_unix_ms: BEGINNING + 10,
        payload: { reason: 'lunch', suspended_by: 'buyer' },
      },
      expect.objectContaining({
        message_type: 'SessionResume',
        message_id: `runtime:${SESSION_ID}:3`,
        payload: { reason: 'because', resumed_by: 'buyer', banked_ms: 59_990 },
      }),
    ]);
    const twice = [0, 0].map(() => story.when(control('cancel', 'buyer')).decision);
    expect(twice[0]).toEqual(twice[1]);
  });

  it.each(['SessionCancel', 'SessionSuspend', 'SessionResume', 'TtlExpired'])(
    'N-4: a client cannot write %s',
    (type) => {
      expect(given(start()).when(send('buyer', type, {})).result).toBe('INVALID_ENVELOPE');
    },
  );

  it('N-4: nobody can speak for the runtime or use its message ids', () => {
    const dev = callerNamed('dev', { actAs: 'anyone' });
    const story = given(start());
    const forged = send('_runtime', 'SessionCancel', {}, { by: dev });
    expect(story.when(forged).result).toBe('UNAUTHENTICATED');
    expect(story.when(as(`runtime:${SESSION_ID}:2`, propose('seller', 'p1'))).result).toBe(
      'INVALID_ENVELOPE',
    );
  });

  it('N-4: a suspension banks the remaining time', () => {
    const story = given(
      start(),
      at(50_000, control('suspend', 'buyer')),
      at(5_000_000, control('resume', 'buyer')),
      at(5_010_000, propose('seller', 'in time')),
    );
    expect(sessionOf(story).deadline).toBe(BEGINNING + 5_010_000);
    expect(story.when(at(5_010_001, propose('seller', 'late'))).result).toBe('SESSION_NOT_OPEN');
  });

  it('N-4: a clock that was set back banks no more than the session had when its time started', () => {
    const banked = (...steps: readonly Step[]) => sessionOf(given(...steps)).suspension?.bankedMs;
    const began = start({ ttl_ms: 1000 });
    expect(banked(began, at(-500_000, control('suspend', 'buyer')))).toBe(1000);
    const resumed = [
      began,
      at(900, control('suspend', 'buyer')),
      at(600_000, control('resume', 'buyer')),
      at(100_000, control('suspend', 'buyer')),
    ];
    expect(banked(...resumed)).toBe(100);
    const open = given(...resumed, control('resume', 'buyer'));
    expect(sessionOf(open).deadline).toBe(BEGINNING + 100_100);
  });

  it('N-4: a clock that was set back during a suspension adds no suspended time', () => {
    const story = given(
      start(),
      at(50_000, control('suspend', 'buyer')),
      at(0, control('resume', 'buyer')),
      control('suspend', 'buyer'),
    );
    expect(sessionOf(story).suspendedMs).toBe(0);
    expect(expiresAfter(sessionOf(story))).toBe(BEGINNING + 7 * DAY);
  });

  it('N-5: a suspended session reports when it would expire if it were resumed now', () => {
    const story = given(start(), at(50_000, control('suspend', 'buyer')));
    const expiry = (told: Story, milliseconds: number) =>
      describeSession(sessionOf(told), BEGINNING + milliseconds).expires_at_unix_ms - BEGINNING;
    expect(expiry(story, 50_000)).toBe(60_000);
    expect(expiry(story, 5_000_000)).toBe(5_010_000);
    const end = 50_000 + 7 * DAY;
    expect(expiry(story, end)).toBe(end + 10_000);
    expect(expiry(story, end + 1)).toBe(end);
    expect(expiry(story.when(at(end + 9, expire)), end + 9)).toBe(end);
    expect(expiry(story.when(at(5_000_000, control('resume', 'buyer'))), 5_000_001)).toBe(5_010_000);
  });

  it('N-4: a session may be started with a lower cap, and without one nothing is recorded', () => {
    const bound = given(start({ max_suspend_ms: 5_000 }), control('suspend', 'buyer'));
    expect(expiresAfter(sessionOf(bound))).toBe(BEGINNING + 5_000);
    expect(bound.when(at(5_001, control('resume', 'buyer'))).result).toBe('SESSION_NOT_OPEN');
    const raised = given(start({ max_suspend_ms: 30 * DAY }), control('suspend', 'buyer'));
    expect(expiresAfter(sessionOf(raised))).toBe(BEGINNING + 7 * DAY);
    const [unbound] = given(start({ max_suspend_ms: 0 })).records;
    expect(unbound).toEqual(given(start()).records[0]);
    for (const wrong of [-1, 0.5, 366 * DAY, 'long']) {
      expect(() => given(start({ max_suspend_ms: wrong }))).toThrow('payload.max_suspend_ms');
    }
  });

  it('N-4: suspensions together are capped at seven days; beyond that the session expires', () => {
    const again = given(
      start({ ttl_ms: DAY }),
      control('suspend', 'buyer'),
      at(2 * DAY, control('resume', 'buyer')),
      control('suspend', 'buyer'),
      at(3 * DAY, control('resume', 'buyer')),
      control('suspend', 'buyer'),
    );
    const cap = 7 * DAY;
    expect(expiresAfter(sessionOf(again))).toBe(BEGINNING + cap);
    expect(statusAt(sessionOf(again), BEGINNING + cap)).toBe('SUSPENDED');
    expect(statusAt(sessionOf(again), BEGINNING + cap + 1)).toBe('EXPIRED');
    expect(again.when(at(cap, expire)).result).toBe('nothing');
    expect(again.when(at(cap, control('resume', 'buyer'))).result).toBe('accepted');
    expect(again.when(at(cap + 1, control('resume', 'buyer'))).result).toBe('SESSION_NOT_OPEN');
    const expired = again.when(at(cap + 1, expire));
    expect(sessionOf(expired).status).toBe('EXPIRED');
    expect(expired.when(expire).result).toBe('late');
  });
});

describe('the deadline', () => {
  it('N-5: is acceptance plus ttl_ms; after it the session is EXPIRED, recorded or not', () => {
    const story = given(start());
    expect(story.when(at(60_000, propose('seller', 'p1'))).result).toBe('accepted');
    expect(story.when(at(60_001, propose('seller', 'p1'))).result).toBe('SESSION_NOT_OPEN');
    const session = sessionOf(story);
    expect(statusAt(session, BEGINNING + 60_000)).toBe('OPEN');
    expect(statusAt(session, BEGINNING + 60_001)).toBe('EXPIRED');
    expect(describeSession(session, BEGINNING + 60_001).state).toBe('EXPIRED');
    expect(explainEligibility(session, BEGINNING + 60_001).reasons[0]).toBe('The session is EXPIRED.');
  });

  it('N-5: a late message is answered once the expiry is recorded', () => {
    const { decision } = given(start()).when(at(60_001, propose('seller', 'p1')));
    expect(decision).toMatchObject({
      refused: { code: 'SESSION_NOT_OPEN' },
      due: [{ type: 'session_expired' }],
    });
    const expired = given(start()).when(at(60_001, expire));
    expect(expired.when(at(60_001, propose('seller', 'p1'))).decision.due).toBeUndefined();
  });

  it('N-5: expiry is recorded once, only when it is due, by the gateway', () => {
    const story = given(start());
    expect(story.when(at(60_000, expire)).result).toBe('nothing');
    const expired = story.when(at(60_001, expire));
    expect(expired.decision.records).toMatchObject([
      { type: 'session_expired', principal: 'system:gateway', envelope: { sender: '_runtime' } },
    ]);
    expect(expired.when(expire).result).toBe('late');
    expect(given().when(expire).result).toBe('SESSION_NOT_FOUND');
  });
});
