import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../json/canonical.js';
import { DEFAULT_PROPOSAL_RULES } from '../modes/proposal/policies.js';
import { given, sessionOf } from '../testing/given.js';
import {
  accept,
  as,
  at,
  callerNamed,
  commit,
  control,
  propose,
  reject,
  SESSION_ID,
  type Step,
  send,
  start,
  startPayload,
  startUnder,
  withdraw,
} from '../testing/steps.js';
import { encodeSession } from './encode.js';
import { describeSession, mayRead, readableSession } from './reading.js';

const agreed: readonly Step[] = [
  start(),
  propose('seller', 'p1'),
  accept('seller', 'p1'),
  accept('buyer', 'p1'),
];

describe('messages', () => {
  it('N-6: each accepted message has the next sequence number, a refused one has none', () => {
    const story = given(as('a', start()), as('b', propose('seller', 'p1')));
    const refused = story.when(as('c', accept('seller', 'unknown')));
    expect(refused.result).toBe('INVALID_ENVELOPE');
    const corrected = refused.when(as('c', accept('seller', 'p1')));
    expect(corrected.result).toBe('accepted');
    const sequences = [...sessionOf(corrected).messages].map(([id, { sequence }]) => [id, sequence]);
    expect(sequences).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
    expect(sessionOf(corrected).version).toBe(3);
  });

  it('N-6, I-8: a session remembers when each message was accepted, so that a repeat gets the same answer', () => {
    const story = given(at(0, as('a', start())), at(7, as('b', propose('seller', 'p1'))));
    const { messages, startedAt } = sessionOf(story);
    expect([...messages]).toMatchObject([
      ['a', { sender: 'buyer', sequence: 1, acceptedAt: startedAt }],
      ['b', { sender: 'seller', sequence: 2, acceptedAt: startedAt + 7 }],
    ]);
  });

  it('N-8: outsiders get the same refusal whatever they send, and learn no names', () => {
    const designated = { authority: 'designated_role', designated_roles: ['notary'] } as const;
    for (const story of [
      given(start()),
      given(startUnder({ ...DEFAULT_PROPOSAL_RULES, commitment: designated })),
    ]) {
      const refusals = [accept('mallory', 'p1'), commit('mallory')].map(
        (step) => story.when(step).decision.refused,
      );
      expect(refusals[0]?.code).toBe('FORBIDDEN');
      expect(refusals[1]).toEqual(refusals[0]);
      expect(JSON.stringify(refusals)).not.toMatch(/buyer|notary/);
    }
  });

  it("N-8: a token that does not cover a session's mode cannot read it", () => {
    const session = sessionOf(given(start()));
    const elsewhere = { allowedModes: ['macp.mode.task.v1'] };
    const read = (name: string) => readableSession(session, callerNamed(name, elsewhere), SESSION_ID);
    expect(mayRead(session, callerNamed('buyer', elsewhere))).toBe(false);
    expect(mayRead(session, callerNamed('auditor', { ...elsewhere, isObserver: true }))).toBe(false);
    expect(read('buyer')).toMatchObject({ ok: false, refusal: { code: 'FORBIDDEN' } });
    expect(read('mallory')).toMatchObject({ ok: false, refusal: { code: 'SESSION_NOT_FOUND' } });
  });

  it('N-6: a repeat by the same sender is a duplicate, for ever', () => {
    const story = given(start(), as('b', propose('seller', 'p1')));
    expect(story.when(as('b', propose('seller', 'p1'))).result).toBe('duplicate');
    const later = send(
      'seller',
      'Proposal',
      { title: 'Offer p1', proposal_id: 'p1' },
      { change: { timestamp_unix_ms: 5 } },
    );
    expect(story.when(as('b', later)).result).toBe('duplicate');
    const over = story.when(control('cancel', 'buyer'));
    expect(over.when(as('b', propose('seller', 'p1'))).result).toBe('duplicate');
    expect(over.when(as('new', propose('seller', 'p2'))).result).toBe('SESSION_NOT_OPEN');
  });

  it('N-6: an id that someone else used first does not swallow a message', () => {
    const story = given(as('a', start()), propose('buyer', 'p1'), as('b', accept('buyer', 'p1')));
    for (const [id, user] of [
      ['a', 'buyer'],
      ['b', 'buyer'],
    ] as const) {
      const refused = story.when(as(id, reject('seller', 'p1', true)));
      expect(refused.result).toBe('INVALID_ENVELOPE');
      expect(refused.decision.refused?.message).toContain(`"${user}" has already used`);
    }
    expect(story.when(as('c', reject('seller', 'p1', true))).result).toBe('accepted');
  });

  it.each([
    ['another proposal', propose('seller', 'p2')],
    ['another type', withdraw('seller', 'p1')],
    ['other details', send('seller', 'Proposal', { proposal_id: 'p1', title: 'Offer p1', tags: ['x'] })],
    ['an unreadable payload', send('seller', 'Proposal', { proposal_id: 5 })],
  ])('N-6: a used id cannot be used again for %s', (_, step) => {
    const story = given(start(), as('b', propose('seller', 'p1')));
    expect(story.when(as('b', step)).result).toBe('INVALID_ENVELOPE');
    const over = story.when(control('cancel', 'buyer'));
    expect(over.when(as('b', step)).result).toBe('INVALID_ENVELOPE');
  });

  it('N-1: an envelope without a time gets the time of its acceptance', () => {
    const story = given(start(), at(7, propose('seller', 'p1')));
    expect(story.records.map(({ envelope, time }) => envelope.timestamp_unix_ms - time)).toEqual([0, 0]);
    const timed = send('seller', 'Proposal', { proposal_id: 'p2' }, { change: { timestamp_unix_ms: 5 } });
    expect(story.when(timed).records.at(-1)?.envelope.timestamp_unix_ms).toBe(5);
  });

  it.each([
    ['someone else', callerNamed('mallory'), 'UNAUTHENTICATED'],
    ['one who may speak for others', callerNamed('desk', { actAs: ['buyer'] }), 'UNAUTHENTICATED'],
    ['one who may speak for the sender', callerNamed('desk', { actAs: ['seller'] }), 'accepted'],
    ['a dev-mode token', callerNamed('dev', { actAs: 'anyone' }), 'accepted'],
  ])('N-7: the sender is the principal: %s', (_, by, expected) => {
    const step = send('seller', 'Proposal', { proposal_id: 'p1' }, { by });
    const outcome = given(start()).when(step);
    expect(outcome.result).toBe(expected);
    if (expected === 'accepted') {
      expect(outcome.records.at(-1)).toMatchObject({ principal: by.name, envelope: { sender: 'seller' } });
    }
  });

  it('N-7: a message without a sender is from the authenticated principal, whoever else it may speak for', () => {
    const by = callerNamed('seller', { actAs: ['buyer'] });
    const outcome = given(start()).when(send('', 'Proposal', { proposal_id: 'p1' }, { by }));
    expect(outcome.records.at(-1)).toMatchObject({ principal: 'seller', envelope: { sender: 'seller' } });
    const stranger = callerNamed('dev', { actAs: 'anyone' });
    const other = given(start()).when(send('', 'Proposal', { proposal_id: 'p1' }, { by: stranger }));
    expect(other.result).toBe('FORBIDDEN');
  });

  it('N-7: a start without a sender makes the authenticated principal the initiator', () => {
    const story = given(send('', 'SessionStart', startPayload(), { by: callerNamed('buyer') }));
    expect(sessionOf(story).terms.initiator).toBe('buyer');
    expect(story.records[0]).toMatchObject({ envelope: { sender: 'buyer' } });
  });

  it("N-8: the description counts each sender's messages", () => {
    const story = given(...agreed);
    const { participant_activity } = describeSession(sessionOf(story), story.now);
    expect(
      participant_activity.map(({ participant_id, message_count }) => [participant_id, message_count]),
    ).toEqual([
      ['buyer', 2],
      ['seller', 2],
    ]);
  });

  it('N-8: the initiator, participants, committers and observers can read it', () => {
    const session = sessionOf(given(start({ participants: ['seller'] }, 'coordinator')));
    const readers = [
      callerNamed('coordinator'),
      callerNamed('seller'),
      callerNamed('auditor', { isObserver: true }),
      callerNamed('desk', { actAs: ['seller'] }),
      callerNamed(session.startedBy, { actAs: 'anyone' }),
    ];
    expect(readers.map((reader) => mayRead(session, reader))).toEqual([true, true, true, true, true]);
    expect(mayRead(session, callerNamed('dev', { actAs: 'anyone' }))).toBe(false);
    expect(mayRead(session, callerNamed('buyer'))).toBe(false);
    const commitment = { authority: 'designated_role', designated_roles: ['notary'] } as const;
    const notarized = sessionOf(given(startUnder({ ...DEFAULT_PROPOSAL_RULES, commitment })));
    expect(mayRead(notarized, callerNamed('notary'))).toBe(true);
    expect(mayRead(notarized, callerNamed('desk', { actAs: ['notary'] }))).toBe(true);
    expect(mayRead(notarized, callerNamed('stranger'))).toBe(false);
    expect(mayRead(session, callerNamed('desk', { actAs: ['buyer'] }))).toBe(false);
  });

  it('the checks have an order: a sender that fails several gets the first', () => {
    const everythingWrong = {
      macp_version: '9',
      sender: 'mallory',
      session_id: 'x',
      mode: 'other',
      payload: { proposal_id: 7 },
    };
    const by = callerNamed('eve');
    const codes: string[] = [];
    const repairs = [
      {},
      { macp_version: '1.0' },
      { sender: 'eve' },
      { session_id: 'abcdefghijklmnopqrstuvwxyz' },
      { mode: 'macp.mode.proposal.v1' },
      { session_id: SESSION_ID },
    ];
    for (const index of repairs.keys()) {
      const change = Object.assign(
        {},
        everythingWrong,
        ...repairs.slice(0, index + 1),
      ) as typeof everythingWrong;
      codes.push(given(start()).when(send('eve', 'Accept', {}, { change, by })).result);
    }
    const asSeller = send('seller', 'Accept', {}, { change: { payload: { proposal_id: 7 } } });
    codes.push(given(start()).when(asSeller).result);
    expect(codes).toEqual([
      'UNSUPPORTED_PROTOCOL_VERSION',
      'UNAUTHENTICATED',
      'INVALID_SESSION_ID',
      'MODE_NOT_SUPPORTED',
      'SESSION_NOT_FOUND',
      'FORBIDDEN',
      'INVALID_ENVELOPE',
    ]);
  });

  it('an ended session says so to participants, before it says who may not send', () => {
    const over = given(start({ participants: ['seller'] }, 'boss'), control('cancel', 'boss'));
    expect(over.when(propose('boss', 'p')).result).toBe('SESSION_NOT_OPEN');
    expect(over.when(commit('seller')).result).toBe('SESSION_NOT_OPEN');
  });

  it("N-6, N-8: a stranger learns neither a session's messages nor whether it has ended", () => {
    const story = given(start(), as('known', propose('seller', 'p1')));
    for (const told of [story, story.when(control('cancel', 'buyer'))]) {
      expect(told.when(as('known', propose('stranger', 'p1'))).result).toBe('FORBIDDEN');
      expect(told.when(as('known', commit('stranger'))).result).toBe('FORBIDDEN');
      expect(told.when(as('new', propose('stranger', 'p2'))).result).toBe('FORBIDDEN');
      expect(told.when(as('known', propose('seller', 'p1'))).result).toBe('duplicate');
    }
  });

  it("N-6: a committer's duplicate is one, participant or not", () => {
    const commitment = { authority: 'designated_role', designated_roles: ['notary'] } as const;
    const story = given(startUnder({ ...DEFAULT_PROPOSAL_RULES, commitment }), ...agreed.slice(1));
    const committed = as('last', commit('notary', { policy_version: 'policy.test' }));
    expect(story.when(committed).when(committed).result).toBe('duplicate');
  });

  it('I-5: a refused message does not change a byte of the state', () => {
    const story = given(...agreed, reject('buyer', 'p1', true));
    const before = canonicalJson(encodeSession(story.state));
    const refused = story.when(propose('seller', 'p2'));
    expect(refused.result).toBe('SESSION_NOT_OPEN');
    expect(canonicalJson(encodeSession(refused.state))).toBe(before);
  });
});
