import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../json/canonical.js';
import type { JsonObject } from '../../../json/json.js';
import type { ModeDescriptor } from '../../mode-descriptors/descriptor.js';
import { lookUpIn, policyRegistry } from '../../policy/registry.js';
import { SessionProjection } from '../../projection/session-projection.js';
import { sessionDecider } from '../../session/decide.js';
import { encodeSession } from '../../session/encode.js';
import { explainEligibility } from '../../session/explain.js';
import type { SessionRecord } from '../../session/records.js';
import { decodeSessions } from '../../snapshot/decode-sessions.js';
import { encodeSessions } from '../../snapshot/encode-sessions.js';
import { given } from '../../testing/given.js';
import { inMode } from '../../testing/in-mode.js';
import {
  commit as commitStep,
  control,
  SESSION_ID,
  type Step,
  send,
  start as startStep,
} from '../../testing/steps.js';
import { PROPOSAL_MODE } from '../proposal/name.js';

const AUCTION: ModeDescriptor = {
  mode: 'ext.auction.v1',
  mode_version: '2',
  title: 'Auction',
  description: 'Bids until one wins.',
  determinism_class: 'structural-only',
  participant_model: 'orchestrated',
  message_types: ['SessionStart', 'Bid', 'Award', 'Commitment'],
  terminal_message_types: ['Award'],
  schema_uris: {},
};
const { mode } = AUCTION;

const start = (change: JsonObject = {}): Step =>
  inMode(mode, startStep({ participants: ['ann', 'bob'], mode_version: '2', ...change }, 'chair'));
const bid = (sender: string, payload: JsonObject = { amount: 5 }): Step =>
  inMode(mode, send(sender, 'Bid', payload));
const award = (sender: string): Step => inMode(mode, send(sender, 'Award', { to: 'ann' }));
const commit = (sender: string, change: JsonObject = {}): Step =>
  inMode(mode, commitStep(sender, { mode_version: '2', ...change }));

/** What became of each message, with these modes registered. */
function tell(steps: readonly Step[], modes: readonly ModeDescriptor[] = [AUCTION], rules?: JsonObject) {
  const records: SessionRecord[] = [];
  let state = sessionDecider.initial;
  const policies = lookUpIn(policyRegistry.initial);
  const context = {
    now: 1_700_000_000_000,
    modes: (name: string) => modes.find((one) => one.mode === name),
    policies: (id: string, name: string) =>
      rules !== undefined && id === 'policy.ours' ? { id, rules } : policies(id, name),
  };
  const results = steps.map((step, index) => {
    const decision = sessionDecider.decide(state, step.command(`m${index}`), context);
    for (const record of decision.records ?? []) {
      records.push(record);
      state = sessionDecider.evolve(state, record);
    }
    return decision.refused?.code ?? decision.unchanged ?? 'accepted';
  });
  if (state === undefined) throw new Error(`There is no session: ${results.join(', ')}`);
  return { results, records, state, now: context.now };
}

describe('a registered mode', () => {
  it('N-31: has the messages that its descriptor lists, from its participants', () => {
    const { results } = tell([
      start(),
      bid('ann'),
      bid('bob', { anything: [1, { deep: true }] }),
      bid('chair'),
      inMode(mode, send('ann', 'Vote', {})),
      inMode(mode, send('ann', 'SessionCancel', {})),
      bid('mallory'),
    ]);
    const refused = ['FORBIDDEN', 'INVALID_ENVELOPE', 'INVALID_ENVELOPE', 'FORBIDDEN'];
    expect(results).toEqual(['accepted', 'accepted', 'accepted', ...refused]);
  });

  it('N-31: a terminal message of its own ends the session, from whoever may commit, once', () => {
    const { results, state } = tell([
      start(),
      bid('ann'),
      award('ann'),
      award('chair'),
      bid('bob'),
      award('chair'),
    ]);
    const over = ['SESSION_NOT_OPEN', 'SESSION_NOT_OPEN'];
    expect(results).toEqual(['accepted', 'accepted', 'FORBIDDEN', 'accepted', ...over]);
    expect(state).toMatchObject({ status: 'RESOLVED', ending: { by: 'chair', reason: 'Award' } });
    expect(state.ending).not.toHaveProperty('outcome_positive');
  });

  it('N-31: a Commitment ends it if the mode has one, even if others do too', () => {
    const committed = tell([start(), commit('ann'), commit('chair', { outcome_positive: false })]);
    expect(committed.results).toEqual(['accepted', 'FORBIDDEN', 'accepted']);
    expect(committed.state.ending).toMatchObject({ by: 'chair', outcome_positive: false });
    const without = { ...AUCTION, message_types: ['Bid', 'Award'] };
    const { results, state, now } = tell([start(), commit('chair'), award('chair')], [without]);
    expect(results).toEqual(['accepted', 'INVALID_ENVELOPE', 'accepted']);
    expect(explainEligibility(state, now).outcomes).toEqual([]);
  });

  it('N-31: without a terminal message it can only be cancelled or expire', () => {
    const endless = { ...AUCTION, message_types: ['Bid'], terminal_message_types: [] };
    const { results, state } = tell(
      [start(), bid('ann'), award('chair'), control('cancel', 'chair')],
      [endless],
    );
    expect(results).toEqual(['accepted', 'accepted', 'FORBIDDEN', 'accepted']);
    expect(state.status).toBe('CANCELLED');
  });

  it('N-3, N-31: is started in its version, and only while it is registered', () => {
    expect(() => tell([start({ mode_version: '1' })])).toThrow('MODE_NOT_SUPPORTED');
    expect(() => tell([start()], [])).toThrow('MODE_NOT_SUPPORTED');
    expect(() => tell([start({ participants: [] })])).toThrow('INVALID_ENVELOPE');
  });

  it('N-3: every message names the mode of its session', () => {
    const { results } = tell([start(), send('ann', 'Proposal', { proposal_id: 'p1' }), bid('ann')]);
    expect(results).toEqual(['accepted', 'INVALID_ENVELOPE', 'accepted']);
  });

  it('N-13, N-31: its policies say who ends it, and whatever else its participants agreed on', () => {
    const commitment = { authority: 'any_participant', designated_roles: [] };
    const { results } = tell(
      [start({ policy_version: 'policy.ours' }), bid('ann'), award('bob')],
      [AUCTION],
      { commitment, reserve: { price: 10 } },
    );
    expect(results).toEqual(['accepted', 'accepted', 'accepted']);
    const register = (rules: JsonObject, name = mode) => {
      const descriptor = {
        policy_id: 'policy.ours',
        mode: name,
        rules: JSON.stringify(rules),
        schema_version: 1,
      };
      return policyRegistry.decide(
        policyRegistry.initial,
        { type: 'register', principal: 'operator', descriptor },
        { now: 1 },
      );
    };
    expect(register({ commitment, reserve: { price: 10 } }).records?.[0]).toMatchObject({
      facts: { rules: { commitment, reserve: { price: 10 } } },
    });
    expect(register({ commitment: { authority: 'anybody' } }).refused?.details).toMatchObject({
      field: 'rules.commitment.authority',
    });
    expect(register({}, 'auction').refused?.code).toBe('INVALID_POLICY_DEFINITION');
    expect(register({}, 'macp.mode.auction.v1').refused?.code).toBe('INVALID_POLICY_DEFINITION');
  });

  it('N-13, N-31: a policy of a registered mode is for no other mode, and exists all the same', () => {
    const descriptor = { policy_id: 'policy.theirs', mode, rules: '{}', schema_version: 1 };
    const command = { type: 'register', principal: 'operator', descriptor } as const;
    const { records = [] } = policyRegistry.decide(policyRegistry.initial, command, { now: 1 });
    const look = lookUpIn(records.reduce(policyRegistry.evolve, policyRegistry.initial));
    expect(look('policy.theirs', mode)).toMatchObject({ id: 'policy.theirs' });
    for (const other of ['ext.tender.v1', PROPOSAL_MODE])
      expect([other, look('policy.theirs', other), look('policy.none', other)]).toEqual([
        other,
        { id: 'policy.theirs' },
        undefined,
      ]);
    const step = { ...startStep({ policy_version: 'policy.theirs' }), policies: look };
    expect(() => given(step)).toThrow('which is for another mode');
  });

  it('I-3, N-31: a session keeps the description it began with: replayed, from a snapshot, and after it changed', () => {
    const { records, state } = tell([start(), bid('ann'), bid('bob')]);
    const replayed = records.reduce(sessionDecider.evolve, sessionDecider.initial);
    const text = canonicalJson(encodeSession(state));
    expect(canonicalJson(encodeSession(replayed))).toBe(text);
    const parts = [...encodeSessions([state])].map((part) => JSON.parse(JSON.stringify(part)) as typeof part);
    const restored = parts.map(decodeSessions()).find((session) => session !== undefined);
    expect(canonicalJson(encodeSession(restored))).toBe(text);
    // Nothing is registered any more.
    const context = { now: 1_700_000_000_000, policies: () => undefined };
    const ended = sessionDecider.decide(restored, award('chair').command('end'), context);
    expect(ended.records).toMatchObject([{ facts: { ends_session: true } }]);
  });

  it('N-12, N-31: is followed by a projection that was given the descriptor', () => {
    const { records, state } = tell([start(), bid('ann'), award('chair')]);
    const projection = new SessionProjection({ descriptor: AUCTION });
    for (const { envelope } of records) expect(projection.apply(envelope)).toEqual({ ok: true, value: true });
    expect(projection.encodeState()).toEqual(state.negotiation);
    expect(projection.encodeState()).toEqual({ messages: 2, ended: { by: 'chair', message_type: 'Award' } });
    const [first] = records;
    if (first === undefined) throw new Error('The session was started.');
    expect(new SessionProjection().apply(first.envelope)).toMatchObject({
      refusal: { code: 'MODE_NOT_SUPPORTED' },
    });
  });

  it('I-7, I-8, N-31: 20,000 messages cost the same each, and the state of the mode does not grow', () => {
    const { state } = tell([start(), ...Array.from({ length: 20_000 }, () => bid('ann'))]);
    expect(state.version).toBe(20_001);
    expect(state.negotiation).toEqual({ messages: 20_000 });
  });

  it('N-31: in every state that three messages can lead to, it is over exactly after a terminal one', () => {
    const moves = [bid('ann'), bid('bob'), award('ann'), award('chair'), commit('bob'), commit('chair')];
    const ends = new Set([3, 5]);
    const pick = (left: number): readonly (readonly number[])[] =>
      left === 0 ? [[]] : pick(left - 1).flatMap((before) => moves.map((_, index) => [...before, index]));
    for (const picked of pick(3)) {
      const { state, records } = tell([start(), ...picked.map((index) => moves[index] as Step)]);
      const first = picked.findIndex((index) => ends.has(index));
      const heard = (first === -1 ? picked : picked.slice(0, first + 1)).filter(
        (index) => index < 2 || ends.has(index),
      );
      expect([picked, records.length]).toEqual([picked, heard.length + 1]);
      expect([picked, state.status]).toEqual([picked, first === -1 ? 'OPEN' : 'RESOLVED']);
    }
    expect(SESSION_ID).toBe(tell([start()]).state.id);
  });
});
