import { describe, expect, it } from 'vitest';
import { projectNegotiation } from '../modes/proposal/projection.js';
import { policyRegistry } from '../policy/registry.js';
import { given } from '../testing/given.js';
import {
  accept,
  as,
  callerNamed,
  control,
  counter,
  propose,
  reject,
  type Step,
  send,
  start,
  startPayload,
  withdraw,
} from '../testing/steps.js';

const HUGE = 'x'.repeat(1_000_000);
const dev = { by: callerNamed('dev', { actAs: 'anyone' }) };

/** The maximum length of a reply about one message, in characters. */
const MOST = 1000;

describe('refusals', () => {
  it.each<[string, readonly Step[], Step]>([
    ['a version', [], send('buyer', 'SessionStart', {}, { change: { macp_version: HUGE } })],
    ['a session id', [], send('buyer', 'SessionStart', {}, { change: { session_id: HUGE } })],
    ['a mode', [], send('buyer', 'SessionStart', {}, { change: { mode: HUGE } })],
    ['a mode version', [], start({ mode_version: HUGE })],
    ['a policy version', [], start({ policy_version: HUGE })],
    ['a participant', [], start({ participants: [HUGE] })],
    ['the key of an extension', [], start({ extensions: { [HUGE]: '%' } })],
    ['an initiator', [], send(HUGE, 'SessionStart', startPayload(), dev)],
    ['a sender that is not the principal', [start()], send(HUGE, 'Accept', {}, { by: callerNamed('eve') })],
    ['a stranger', [start()], send(HUGE, 'Accept', {}, dev)],
    ['a stranger who commits', [start()], send(HUGE, 'Commitment', {}, dev)],
    ['a stranger who cancels', [start()], control('cancel', HUGE)],
    ['a message type', [start()], send('buyer', HUGE, {})],
    ['a message id of the runtime', [start()], as(`runtime:${HUGE}`, accept('buyer', 'p1'))],
    ['a proposal id', [start()], propose('buyer', HUGE)],
    ['a countered proposal id', [start()], counter('buyer', 'p1', HUGE)],
    ['an accepted proposal id', [start()], accept('buyer', HUGE)],
    ['a withdrawn proposal id', [start()], withdraw('buyer', HUGE)],
    [
      'an unknown session',
      [],
      {
        command: () => ({ type: 'suspend', caller: callerNamed('buyer'), sessionId: HUGE, reason: '' }),
      },
    ],
  ])('I-7: do not repeat %s of a megabyte', (_, before, step) => {
    const { refused } = given(...before).when(step).decision;
    expect(refused).toBeDefined();
    expect(JSON.stringify(refused).length).toBeLessThan(MOST);
  });

  it('I-7: do not repeat the id of a policy, or a key of its rules', () => {
    const command = { type: 'register', principal: 'operator' } as const;
    const descriptor = { policy_id: 'p', mode: '*', rules: '{}' };
    const decisions = [
      policyRegistry.decide(
        policyRegistry.initial,
        { ...command, descriptor: { ...descriptor, policy_id: HUGE } },
        { now: 0 },
      ),
      policyRegistry.decide(
        policyRegistry.initial,
        { ...command, descriptor: { ...descriptor, rules: JSON.stringify({ [HUGE]: 1 }) } },
        { now: 0 },
      ),
      policyRegistry.decide(
        policyRegistry.initial,
        { type: 'unregister', principal: 'operator', policyId: HUGE },
        { now: 0 },
      ),
    ];
    for (const { refused } of decisions) {
      expect(refused).toBeDefined();
      expect(JSON.stringify(refused).length).toBeLessThan(MOST);
    }
  });

  it('I-7: do not repeat the input of a projection', () => {
    const envelopes = given(start(), propose('seller', 'p1')).records.map(({ envelope }) => envelope);
    const foreign = { ...envelopes[1], session_id: HUGE } as (typeof envelopes)[number];
    const unknown = {
      ...envelopes[0],
      payload: startPayload({ policy_version: HUGE }),
    } as (typeof envelopes)[number];
    for (const projected of [
      projectNegotiation([...envelopes, foreign]),
      projectNegotiation([
        { ...foreign, message_type: 'SessionStart', payload: startPayload() },
        ...envelopes,
      ]),
      projectNegotiation([unknown]),
    ]) {
      expect(projected.ok).toBe(false);
      expect(JSON.stringify(projected).length).toBeLessThan(MOST);
    }
  });

  it('N-11: name in full what a program needs: the proposal, its rejecter, the session', () => {
    const id = 'p'.repeat(256);
    const story = given(start(), propose('seller', id), reject('seller', id, true));
    expect(story.when(propose('buyer', 'p2')).decision.refused?.details).toEqual({
      proposal_id: id,
      rejected_by: 'seller',
    });
    const elsewhere = { change: { session_id: 's'.repeat(128) } };
    const lost = send('buyer', 'Accept', { proposal_id: 'p1' }, elsewhere);
    expect(story.when(lost).decision.refused?.details).toEqual({ session_id: 's'.repeat(128) });
  });
});
