import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../json/json.js';
import { explainEligibility } from '../../session/explain.js';
import { becomes, type Case } from '../../testing/cases.js';
import { given, sessionOf } from '../../testing/given.js';
import { inMode } from '../../testing/in-mode.js';
import { reachable } from '../../testing/reachable.js';
import { commit as commitStep, type Step, send, start as startStep } from '../../testing/steps.js';
import type { MacpEnvelope } from '../../wire/macp-envelope.js';
import { handoffMode } from './mode.js';
import { HANDOFF_MODE } from './name.js';

const say = (sender: string, type: string, payload: JsonObject = {}): Step =>
  inMode(HANDOFF_MODE, send(sender, type, { handoff_id: 'h1', ...payload }));
const start = (change: JsonObject = {}): Step =>
  inMode(HANDOFF_MODE, startStep({ participants: ['owner', 'ann', 'bob'], ...change }, 'owner'));
const commit = (sender: string, outcome_positive = true): Step =>
  inMode(HANDOFF_MODE, commitStep(sender, { outcome_positive }));
const offer = (handoff_id: string, target_participant: string, by = 'owner'): Step =>
  say(by, 'HandoffOffer', { handoff_id, target_participant, scope: 'support', reason: 'holiday' });
const accept = (who: string, change: JsonObject = {}): Step => say(who, 'HandoffAccept', change);
const decline = (who: string, change: JsonObject = {}): Step => say(who, 'HandoffDecline', change);

const offered = [start(), offer('h1', 'ann')];
const accepted = [...offered, accept('ann')];
const declined = [...offered, decline('ann')];

describe('a handoff', () => {
  it.each<Case>([
    ['N-23: is offered by the owner', [start()], offer('h1', 'ann'), 'accepted'],
    ['N-23: by nobody else', [start()], offer('h1', 'ann', 'bob'), 'FORBIDDEN'],
    ['N-23: to a participant', [start()], offer('h1', 'eve'), 'INVALID_ENVELOPE'],
    ['N-23: not to the owner', [start()], offer('h1', 'owner'), 'INVALID_ENVELOPE'],
    ['N-23: to somebody', [start()], offer('h1', ''), 'INVALID_ENVELOPE'],
    ['N-23: one at a time', offered, offer('h2', 'bob'), 'INVALID_ENVELOPE'],
    ['N-23: under a new id', declined, offer('h1', 'bob'), 'INVALID_ENVELOPE'],
    ['N-23: to another after a decline', declined, offer('h2', 'bob'), 'accepted'],
    ['N-23: not to the one who declined', declined, offer('h2', 'ann'), 'INVALID_ENVELOPE'],
    ['N-23: not after it was accepted', accepted, offer('h2', 'bob'), 'INVALID_ENVELOPE'],
    ['N-23: is accepted by its target', offered, accept('ann', { accepted_by: 'ann' }), 'accepted'],
    ['N-23: by nobody else', offered, accept('bob'), 'FORBIDDEN'],
    ['N-23: not by the owner', offered, accept('owner'), 'FORBIDDEN'],
    ['N-23: in its own name', offered, accept('ann', { accepted_by: 'bob' }), 'INVALID_ENVELOPE'],
    ['N-23: not by silence', offered, accept('ann', { implicit: true }), 'INVALID_ENVELOPE'],
    ['N-23: once', accepted, accept('ann'), 'INVALID_ENVELOPE'],
    ['N-23: for good', accepted, decline('ann'), 'INVALID_ENVELOPE'],
    ['N-23: if it exists', [start()], accept('ann'), 'INVALID_ENVELOPE'],
    ['N-23: is declined by its target', offered, decline('ann', { declined_by: 'ann' }), 'accepted'],
    ['N-23: in its own name', offered, decline('ann', { declined_by: 'bob' }), 'INVALID_ENVELOPE'],
    ['N-23: for good', declined, accept('ann'), 'INVALID_ENVELOPE'],
    [
      'N-23: has context from the owner',
      offered,
      say('owner', 'HandoffContext', { context: 'AAAA' }),
      'accepted',
    ],
    ['N-23: also afterwards', accepted, say('owner', 'HandoffContext'), 'accepted'],
    ['N-23: not from the target', offered, say('ann', 'HandoffContext'), 'FORBIDDEN'],
    ['N-23: about an offer', [start()], say('owner', 'HandoffContext'), 'INVALID_ENVELOPE'],
    ['N-24: has no outcome before an offer', [start()], commit('owner', false), 'INVALID_ENVELOPE'],
    ['N-24: nor before an answer', offered, commit('owner', false), 'INVALID_ENVELOPE'],
    ['N-24: is positive after an acceptance', accepted, commit('owner'), 'accepted'],
    ['N-24: or negative', accepted, commit('owner', false), 'accepted'],
    ['N-24: is negative after a decline', declined, commit('owner', false), 'accepted'],
    ['N-24: not positive: nobody took it', declined, commit('owner'), 'POLICY_DENIED'],
    [
      'N-24: negative with another offer open',
      [...declined, offer('h2', 'bob')],
      commit('owner', false),
      'accepted',
    ],
    ['N-24: not positive then', [...declined, offer('h2', 'bob')], commit('owner'), 'POLICY_DENIED'],
    ['N-24: is not committed by the target', accepted, commit('ann'), 'FORBIDDEN'],
  ])('%s', becomes);

  it.each([
    ['only the owner', ['owner']],
    ['a list without the owner', ['ann', 'bob']],
  ])('N-23: is not started with %s', (found, participants) => {
    expect(() => given(start({ participants }))).toThrow(found);
  });

  it('N-13, N-23: a policy that accepts by silence is refused', () => {
    const parse = (rules: JsonObject) => handoffMode.policies.parse(rules);
    expect(parse({ acceptance: { implicit_accept_timeout_ms: 0 } }).ok).toBe(true);
    expect(parse({ acceptance: { implicit_accept_timeout_ms: 1000 } })).toMatchObject({
      refusal: { code: 'INVALID_POLICY_DEFINITION' },
    });
  });
});

describe('every state of a handoff', () => {
  const messages = ['h1', 'h2', 'h3'].flatMap((handoff_id) =>
    ['owner', 'ann', 'bob'].flatMap((who) => [
      offer(handoff_id, who),
      accept(who, { handoff_id }),
      decline(who, { handoff_id }),
    ]),
  );

  it('N-12, N-23, N-24: has the outcomes that its history allows, and survives a snapshot', () => {
    const stories = reachable(start(), messages);
    expect(stories.length).toBeGreaterThan(20);
    for (const story of stories) {
      const said = story.records.slice(1).map(({ envelope }) => envelope as MacpEnvelope);
      const types = said.map(({ message_type }) => message_type);
      const count = (type: string) => types.filter((one) => one === type).length;
      expect(count('HandoffAccept')).toBeLessThanOrEqual(1);
      expect(count('HandoffOffer') - count('HandoffAccept') - count('HandoffDecline')).toBeLessThanOrEqual(1);
      if (count('HandoffAccept') > 0) expect(types.at(-1)).toBe('HandoffAccept');
      const session = sessionOf(story);
      expect([types, explainEligibility(session, story.now).outcomes]).toEqual([
        types,
        count('HandoffAccept') > 0
          ? ['positive', 'negative']
          : count('HandoffDecline') > 0
            ? ['negative']
            : [],
      ]);
      const json = handoffMode.encode(story.state?.negotiation as typeof handoffMode.initial);
      const copy = JSON.parse(JSON.stringify(json)) as JsonObject;
      expect(JSON.parse(JSON.stringify(handoffMode.encode(handoffMode.decode(copy))))).toEqual(copy);
    }
  });
});
