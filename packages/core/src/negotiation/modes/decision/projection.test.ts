import { describe, expect, it } from 'vitest';
import { describeMessage } from '../../session/describe-message.js';
import { evaluate, object, settle, startDecision, suggest, vote } from '../../testing/decision-steps.js';
import { given, sessionOf } from '../../testing/given.js';
import { propose, start } from '../../testing/steps.js';
import { decodeDeliberation, encodeDeliberation } from './encode.js';
import { decisionMode } from './mode.js';
import { DecisionProjection, projectDecision } from './projection.js';

const steps = [
  startDecision(),
  suggest('ann', 'p1'),
  suggest('bob', 'p2'),
  evaluate('bob', 'p1', 'BLOCK', 0.75),
  evaluate('lead', 'p1', 'REVIEW', 1),
  object('bob', 'p1', 'critical'),
  object('ann', 'p2', 'low'),
  vote('ann', 'p1', 'APPROVE'),
  vote('bob', 'p1', 'REJECT'),
  vote('bob', 'p2', 'APPROVE'),
];

describe('the projection of a decision', () => {
  it('N-12: has the phase and the state of the session after every message', () => {
    const phases = steps.map((_, index) => {
      const story = given(...steps.slice(0, index + 1));
      const projected = projectDecision(story.records.map(({ envelope }) => envelope));
      if (!projected.ok) throw new Error(projected.refusal.message);
      const { negotiation } = sessionOf(story) as { negotiation: unknown };
      const state = encodeDeliberation(projected.value.negotiation);
      expect(state).toEqual(decisionMode.encode(negotiation as typeof decisionMode.initial));
      expect(encodeDeliberation(decodeDeliberation(JSON.parse(JSON.stringify(state))))).toEqual(
        JSON.parse(JSON.stringify(state)),
      );
      return projected.value.phase;
    });
    expect(new Set(phases)).toEqual(new Set(['Proposal', 'Evaluation', 'Voting']));
  });

  it('N-12, N-14: tells who proposed, evaluated, objected and voted', () => {
    const { records } = given(...steps, settle());
    const projected = projectDecision(records.map(({ envelope }) => envelope));
    if (!projected.ok) throw new Error(projected.refusal.message);
    const { value } = projected;
    expect([...value.proposals.values()].map(({ proposalId, proposer }) => [proposalId, proposer])).toEqual([
      ['p1', 'ann'],
      ['p2', 'bob'],
    ]);
    expect(value.evaluations.map(({ sender, recommendation }) => [sender, recommendation])).toEqual([
      ['bob', 'BLOCK'],
      ['lead', 'REVIEW'],
    ]);
    expect(value.objections.map(({ sender, severity }) => [sender, severity])).toEqual([
      ['bob', 'critical'],
      ['ann', 'low'],
    ]);
    expect(value.votes.get('p1')?.get('bob')?.vote).toBe('REJECT');
    expect(value.votes.get('p2')?.get('bob')?.vote).toBe('APPROVE');
    expect(value).toMatchObject({ phase: 'Committed', isCommitted: true, isPositiveOutcome: true });
    expect(value.explain()?.approvals).toBe(2);
  });

  it('N-12: every message reads as a sentence', () => {
    const { records } = given(...steps);
    const sentences = records.map(({ envelope }) => {
      const { by, verb, about, said } = describeMessage(envelope);
      return [by, verb, about, said].filter((word) => word !== '').join(' ');
    });
    expect(sentences.slice(1)).toEqual([
      'ann proposes p1 Option p1',
      'bob proposes p2 Option p2',
      'bob recommends blocking p1 looked at it (75 % sure)',
      'lead takes no position on p1 looked at it (100 % sure)',
      'bob objects critically to p1 wait (severity: critical)',
      'ann objects to p2 wait (severity: low)',
      'ann votes for p1',
      'bob votes against p1',
      'bob votes for p2',
    ]);
  });

  it('N-12: refuses a session of another mode', () => {
    const [first] = given(start(), propose('seller', 'p1')).records;
    if (first === undefined) throw new Error('The session was started.');
    expect(new DecisionProjection().apply(first.envelope)).toMatchObject({
      refusal: { code: 'MODE_NOT_SUPPORTED' },
    });
  });
});
