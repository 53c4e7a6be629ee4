import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replay } from '../decision.js';
import { canonicalJson } from '../json/canonical.js';
import { findMode, modeOf, servedModes } from './modes/registry.js';
import { projectionFor } from './projection/any-projection.js';
import { sessionDecider } from './session/decide.js';
import { encodeSession } from './session/encode.js';
import { explainEligibility } from './session/explain.js';
import { isFinal, type SessionState } from './session/session.js';
import { decodeSessions, encodeSessions, type SessionPart } from './snapshot/index.js';
import { historyIn, type ModeHistory, PARTIES } from './testing/any-message.js';
import { given, type Story, type StoryOutcome, sessionOf } from './testing/given.js';
import { inMode } from './testing/in-mode.js';
import { commit, start } from './testing/steps.js';

const RUNS = 50 * (process.env['PROFFER_LONG'] === undefined ? 1 : 10);

const bytes = (state: SessionState) => canonicalJson(encodeSession(state));

describe.each(servedModes().map(({ mode }) => mode))('random messages in %s', (mode) => {
  /** Plays a history; `watch` is called for every attempt with the state before it. */
  function play(
    { policyVersion, attempts }: ModeHistory,
    watch: (before: Story, after: StoryOutcome) => void = () => undefined,
  ): Story {
    const change = { participants: [...PARTIES], policy_version: policyVersion };
    let story: Story = given(inMode(mode, start(change)));
    for (const step of attempts) {
      const outcome = story.when(step);
      watch(story, outcome);
      story = outcome;
    }
    return story;
  }

  const forAll = (check: (history: ModeHistory) => void): void =>
    fc.assert(fc.property(historyIn(mode), check), { numRuns: RUNS });

  it('I-3, N-12: replay, a restored snapshot and the projection give the live state', () => {
    forAll((tried) => {
      const { state, records } = play(tried);
      const stored = JSON.parse(canonicalJson(records)) as typeof records;
      expect(bytes(replay(sessionDecider, stored))).toBe(bytes(state));
      const half = records.length >> 1;
      const first = replay(sessionDecider, records.slice(0, Math.max(1, half)));
      if (first !== undefined && !isFinal(first.status)) {
        const written = JSON.parse(JSON.stringify([...encodeSessions([first])])) as SessionPart[];
        const restored = written.map(decodeSessions()).at(-1);
        const after = records.slice(Math.max(1, half));
        expect(bytes(after.reduce<SessionState>(sessionDecider.evolve, restored))).toBe(bytes(state));
      }
      const projection = projectionFor(mode);
      for (const { envelope } of stored) expect(projection.apply(envelope)).toMatchObject({ ok: true });
      const { negotiation } = sessionOf({ ...play(tried) });
      expect(canonicalJson(projection.encodeState() ?? {})).toBe(
        canonicalJson(findMode(mode)?.encode(negotiation) ?? {}),
      );
    });
  });

  it('I-5, N-4, N-6: a refused message changes nothing, and a final state is final', () => {
    forAll((tried) => {
      play(tried, (before, after) => {
        const isOver = isFinal(sessionOf(before).status);
        if (after.result === 'accepted') expect(isOver).toBe(false);
        else expect(after.state).toBe(before.state);
      });
    });
  });

  it('I-2, N-10: a commitment is accepted exactly if the explanation says so, and there is one', () => {
    let committable = 0;
    forAll((tried) => {
      const story = play(tried);
      const session = sessionOf(story);
      const outcomes = story.records.filter(({ envelope }) => envelope.message_type === 'Commitment');
      expect(outcomes).toHaveLength(session.status === 'RESOLVED' ? 1 : 0);
      committable += outcomes.length;
      for (const committer of ['buyer', 'seller', 'mallory']) {
        const possible = explainEligibility(session, story.now, committer).outcomes;
        committable += possible.length;
        for (const outcome of ['positive', 'negative'] as const) {
          const change = { outcome_positive: outcome === 'positive', policy_version: tried.policyVersion };
          const answer = story.when(inMode(mode, commit(committer, change))).result;
          expect(answer === 'accepted').toBe(possible.includes(outcome));
        }
      }
    });
    // Otherwise the messages would not be about the same things.
    expect(committable).toBeGreaterThan(0);
  });

  it('I-4: nobody sends what its mode lets only others send', () => {
    forAll((tried) => {
      const { records, ...story } = play(tried);
      const session = sessionOf({ records, ...story });
      for (const { type, envelope } of records) {
        if (type !== 'message_accepted') continue;
        expect(modeOf(session).checkSender(session.terms, envelope)).toBeUndefined();
      }
    });
  });
});
