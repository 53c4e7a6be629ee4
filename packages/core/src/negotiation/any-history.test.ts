import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replay } from '../decision.js';
import { canonicalJson } from '../json/canonical.js';
import { keptCases } from '../testing/kept-cases.js';
import { mayCommit } from './modes/authority.js';
import { encodeNegotiation } from './modes/proposal/encode.js';
import { phaseOf } from './modes/proposal/negotiation.js';
import { DEFAULT_PROPOSAL_RULES } from './modes/proposal/policies.js';
import { projectNegotiation } from './modes/proposal/projection.js';
import { sessionDecider } from './session/decide.js';
import { encodeSession } from './session/encode.js';
import { explainEligibility } from './session/explain.js';
import { isFinal, type SessionState } from './session/session.js';
import { maySpeakFor } from './session/session-caller.js';
import { NO_HISTORY, replayUnder } from './session/what-if.js';
import { decodeSessions, encodeSessions, type SessionPart } from './snapshot/index.js';
import { given, type Story, type StoryOutcome, sessionOf } from './testing/given.js';
import { type History, history } from './testing/histories.js';
import { commit, startUnder } from './testing/steps.js';

const RUNS = 300 * (process.env['PROFFER_LONG'] === undefined ? 1 : 10);

/** Plays a history; `watch` is called for every attempt with the state before it. */
function play(
  { rules, participants, attempts }: History,
  watch: (before: Story, after: StoryOutcome, index: number) => void = () => undefined,
): Story {
  let story: Story = given(startUnder(rules, { participants }));
  for (const [index, step] of attempts.entries()) {
    const outcome = story.when(step);
    watch(story, outcome, index);
    story = outcome;
  }
  return story;
}

const bytes = (state: SessionState) => canonicalJson(encodeSession(state));

/**
 * Tries random histories, starting with the seeds of those that once failed or are worth trying every
 * time.
 */
function forAll(check: (history: History) => void): void {
  for (const kept of keptCases<{ readonly seed: number; readonly path?: string }>('negotiation')) {
    fc.assert(fc.property(history, check), { ...kept, numRuns: 20 });
  }
  fc.assert(fc.property(history, check), { numRuns: RUNS });
}

describe('random actions of several actors', () => {
  it('I-3: replaying the records gives the live state, byte for byte', () => {
    forAll((tried) => {
      const { state, records } = play(tried);
      const stored = JSON.parse(canonicalJson(records)) as typeof records;
      expect(bytes(replay(sessionDecider, stored))).toBe(bytes(state));
    });
  });

  it('N-27: under its own rules, a session replays as it was; under others, it stays within them', () => {
    forAll((tried) => {
      const { state, records } = play(tried);
      for (const rules of [tried.rules, DEFAULT_PROPOSAL_RULES]) {
        let replayed = NO_HISTORY;
        for (const record of records) {
          const { after, recorded, candidate } = replayUnder(rules, replayed, record);
          expect(recorded.kind).toBe('APPLIED');
          if (rules === tried.rules) expect(candidate).toEqual(recorded);
          else if (candidate.kind === 'REFUSED') expect(after.candidate).toBe(replayed.candidate);
          replayed = after;
        }
        expect(bytes(replayed.recorded)).toBe(bytes(state));
        if (rules === tried.rules) expect(bytes(replayed.candidate)).toBe(bytes(state));
      }
    });
  });

  it('I-3, N-12: a restored state continues like the original', () => {
    forAll(({ attempts, ...tried }) => {
      const half = attempts.length >> 1;
      const first = play({ ...tried, attempts: attempts.slice(0, half) });
      const { state, records } = play({ ...tried, attempts });
      if (first.state === undefined || isFinal(first.state.status)) return;
      const written = JSON.parse(JSON.stringify([...encodeSessions([first.state])])) as SessionPart[];
      const restored = written.map(decodeSessions()).at(-1);
      expect(bytes(restored)).toBe(bytes(first.state));
      const after = records.slice(first.records.length);
      expect(bytes(after.reduce<SessionState>(sessionDecider.evolve, restored))).toBe(bytes(state));
    });
  });

  it('I-5, N-6: a refused or repeated message changes nothing', () => {
    forAll((tried) => {
      play(tried, (before, after) => {
        if (after.result === 'accepted') return;
        expect(after.state).toBe(before.state);
        expect(after.records).toHaveLength(before.records.length);
      });
    });
  });

  it('I-2: there is at most one outcome, and it agrees with the state', () => {
    forAll((tried) => {
      const { records, ...story } = play(tried);
      const outcomes = records.filter(({ envelope }) => envelope.message_type === 'Commitment');
      expect(outcomes.length).toBeLessThanOrEqual(1);
      const resolved = sessionOf({ records, ...story }).status === 'RESOLVED';
      expect(outcomes.length === 1).toBe(resolved);
    });
  });

  it('N-4: final states are final', () => {
    forAll((tried) => {
      play(tried, (before, after) => {
        if (isFinal(sessionOf(before).status)) expect(after.state).toBe(before.state);
      });
    });
  });

  it('N-6: repeating an accepted message is a duplicate, whatever happened since', () => {
    forAll((tried) => {
      const accepted: number[] = [];
      const story = play(tried, (_, after, index) => {
        if (after.result === 'accepted') accepted.push(index);
      });
      for (const record of story.records.slice(1)) {
        if (record.type !== 'message_accepted') continue;
        const { envelope, principal } = record;
        const again = story.when({
          command: () => ({
            type: 'send',
            envelope,
            caller: { name: principal, mayStartSessions: false },
          }),
        });
        expect(again.result).toBe('duplicate');
      }
      expect(story.records.length).toBe(accepted.length + 1);
    });
  });

  it('N-6: every record has the next sequence number, and every prefix is a valid history', () => {
    forAll((tried) => {
      const { records } = play(tried);
      let state = sessionDecider.initial;
      for (const [index, record] of records.entries()) {
        state = sessionDecider.evolve(state, record);
        expect(state?.version).toBe(index + 1);
        expect(bytes(replay(sessionDecider, records.slice(0, index + 1)))).toBe(bytes(state));
      }
    });
  });

  it('N-12: the projection of the envelopes agrees with the session after every message', () => {
    forAll((tried) => {
      play(tried, ({ state }, after) => {
        if (after.result !== 'accepted' || state === undefined) return;
        const { negotiation, terms } = sessionOf(after);
        const projected = projectNegotiation(
          after.records.map(({ envelope }) => envelope),
          { rules: terms.rules },
        );
        if (!projected.ok) throw new Error(projected.refusal.message);
        const projection = projected.value;
        expect(encodeNegotiation(projection.negotiation)).toEqual(encodeNegotiation(negotiation));
        expect(new Set(projection.liveProposals().map(({ proposalId }) => proposalId))).toEqual(
          new Set(negotiation.live.keys()),
        );
        expect(projection.phase).toBe(phaseOf(negotiation));
        expect(projection.terminalRejections.length > 0).toBe(projection.hasTerminalRejection());
      });
    });
  });

  it('N-9, N-10: a commitment is accepted exactly if the explanation says so', () => {
    forAll((tried) => {
      const story = play(tried);
      const session = sessionOf(story);
      for (const committer of [session.terms.initiator, 'seller', 'notary']) {
        const { outcomes } = explainEligibility(session, story.now, committer);
        for (const outcome of ['positive', 'negative'] as const) {
          const outcome_positive = outcome === 'positive';
          const step = commit(committer, { outcome_positive, policy_version: 'policy.test' });
          expect(story.when(step).result === 'accepted').toBe(outcomes.includes(outcome));
        }
      }
    });
  });

  it('I-4: no record without authority', () => {
    forAll((tried) => {
      const { records, ...story } = play(tried);
      const { terms } = sessionOf({ records, ...story });
      for (const { type, principal, envelope } of records) {
        const speaker = { name: principal, mayStartSessions: true };
        switch (type) {
          case 'message_accepted': {
            const { sender, message_type } = envelope;
            expect(maySpeakFor(speaker, sender)).toBe(true);
            expect(
              message_type === 'Commitment' ? mayCommit(terms, sender) : terms.participants.has(sender),
            ).toBe(true);
            break;
          }
          case 'session_expired':
            expect(principal).toBe('system:gateway');
            break;
          default:
            expect(principal).toBe(terms.initiator);
        }
      }
    });
  });
});
