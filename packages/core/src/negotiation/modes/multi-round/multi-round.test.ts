import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../json/json.js';
import { explainEligibility } from '../../session/explain.js';
import { becomes, type Case } from '../../testing/cases.js';
import { given, sessionOf } from '../../testing/given.js';
import { inMode } from '../../testing/in-mode.js';
import { reachable } from '../../testing/reachable.js';
import { commit as commitStep, type Step, send, start as startStep } from '../../testing/steps.js';
import type { MacpEnvelope } from '../../wire/macp-envelope.js';
import { multiRoundMode } from './mode.js';
import { MULTI_ROUND_MODE } from './name.js';

const start = (): Step => inMode(MULTI_ROUND_MODE, startStep({ participants: ['ann', 'bob'] }, 'chair'));
const say = (sender: string, value: string): Step =>
  inMode(MULTI_ROUND_MODE, send(sender, 'Contribute', { value }));
const commit = (sender: string, outcome_positive = true): Step =>
  inMode(MULTI_ROUND_MODE, commitStep(sender, { outcome_positive }));
const agreed = [start(), say('ann', 'a'), say('bob', 'b'), say('bob', 'a')];

describe('rounds', () => {
  it.each<Case>([
    ['N-25: a participant contributes', [start()], say('ann', 'a'), 'accepted'],
    ['N-25: the chair does not', [start()], say('chair', 'a'), 'FORBIDDEN'],
    ['N-25: something', [start()], say('ann', ''), 'INVALID_ENVELOPE'],
    ['N-25: as often as it likes', [start(), say('ann', 'a'), say('ann', 'b')], say('ann', 'a'), 'accepted'],
    ['N-25: until all values are the same', agreed, say('ann', 'b'), 'INVALID_ENVELOPE'],
    ['N-25: then the initiator commits', agreed, commit('chair'), 'accepted'],
    ['N-25: or says no', agreed, commit('chair', false), 'accepted'],
    ['N-25: nobody else', agreed, commit('ann'), 'FORBIDDEN'],
    ['N-25: not while one is missing', [start(), say('ann', 'a')], commit('chair'), 'INVALID_ENVELOPE'],
    ['N-25: not while they differ', agreed.slice(0, 3), commit('chair', false), 'INVALID_ENVELOPE'],
  ])('%s', becomes);

  it('N-25: says what is missing', () => {
    const reasons = (...steps: readonly Step[]) => {
      const story = given(...steps);
      return explainEligibility(sessionOf(story), story.now).reasons;
    };
    expect(reasons(start(), say('ann', 'a'))).toEqual(['No value has come from "bob".']);
    expect(reasons(...agreed.slice(0, 3))).toEqual(['There are 2 different values.']);
    expect(reasons(...agreed)).toEqual(['All participants have contributed "a".']);
  });

  it('N-12, N-25: in every state, the outcomes are those that its history allows', () => {
    const values = ['a', 'b', '__proto__'];
    const messages = values.flatMap((value) => ['ann', 'bob', 'chair'].map((who) => say(who, value)));
    // The number of rounds has no bound, so only sessions with a few are tried.
    const stories = reachable(start(), messages, ({ records }) => records.length <= 5);
    expect(stories.length).toBeGreaterThan(20);
    for (const story of stories) {
      const latest = new Map<string, unknown>();
      for (const { envelope } of story.records.slice(1)) {
        const { sender, payload } = envelope as MacpEnvelope;
        latest.set(sender, payload['value']);
      }
      const isAgreed = latest.size === 2 && new Set(latest.values()).size === 1;
      const { outcomes } = explainEligibility(sessionOf(story), story.now);
      expect([[...latest], outcomes]).toEqual([[...latest], isAgreed ? ['positive', 'negative'] : []]);
      const json = multiRoundMode.encode(story.state?.negotiation as typeof multiRoundMode.initial);
      const copy = JSON.parse(JSON.stringify(json)) as JsonObject;
      expect(JSON.parse(JSON.stringify(multiRoundMode.encode(multiRoundMode.decode(copy))))).toEqual(copy);
    }
  });
});
