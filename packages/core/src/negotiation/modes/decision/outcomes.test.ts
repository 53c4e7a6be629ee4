import { describe, expect, it } from 'vitest';
import { explainEligibility } from '../../session/explain.js';
import {
  DECIDERS,
  decideUnder,
  evaluate,
  object,
  settle,
  startDecision,
  suggest,
  vote,
} from '../../testing/decision-steps.js';
import { given, sessionOf } from '../../testing/given.js';
import type { Step } from '../../testing/steps.js';
import type { NegotiationOutcome } from '../eligibility.js';
import { checkDecisionMessage } from './check-message.js';
import {
  applyToDecision,
  type DecisionEnvelope,
  type Deliberation,
  NOTHING_PROPOSED,
} from './deliberation.js';
import { explainDecision } from './eligibility.js';
import { parseDecisionRules } from './parse-rules.js';
import type { DecisionRules, VotingAlgorithm } from './rules.js';

/** Rules as a policy would write them. */
function rulesOf(written: object, schemaVersion = 1): DecisionRules {
  const read = parseDecisionRules(JSON.parse(JSON.stringify(written)), { schemaVersion });
  if (!read.ok) throw new Error(read.refusal.message);
  return read.value;
}

const under = (written: object, schemaVersion?: number) => decideUnder(rulesOf(written, schemaVersion));

/** The outcomes that can be committed after these steps; the session itself is asked. */
function outcomesAfter(...steps: readonly Step[]): readonly string[] {
  const story = given(...steps);
  const tried = ([true, false] as const).filter(
    (positive) => story.when(settle(positive, { policy_version: 'policy.test' })).result === 'accepted',
  );
  const outcomes = tried.map((positive) => (positive ? 'positive' : 'negative'));
  expect(explainEligibility(sessionOf(story), story.now).outcomes).toEqual(outcomes);
  return outcomes;
}

const option = suggest('lead', 'p1');
const votes = (...choices: readonly string[]): Step[] =>
  choices.map((choice, index) => vote(DECIDERS[index] ?? '', 'p1', choice));

describe('a vote that is counted', () => {
  const cases: readonly (readonly [string, object, readonly string[], readonly string[]])[] = [
    ['majority: an even split approves', { algorithm: 'majority' }, ['APPROVE', 'REJECT'], ['positive']],
    [
      'majority: abstentions are not counted',
      { algorithm: 'majority' },
      ['APPROVE', 'ABSTAIN', 'ABSTAIN'],
      ['positive'],
    ],
    ['majority: too few', { algorithm: 'majority' }, ['APPROVE', 'REJECT', 'REJECT'], ['negative']],
    [
      'majority: of more than half',
      { algorithm: 'majority', threshold: 0.6 },
      ['APPROVE', 'REJECT'],
      ['negative'],
    ],
    [
      'supermajority: two of three are two thirds',
      { algorithm: 'supermajority' },
      ['APPROVE', 'APPROVE', 'REJECT'],
      ['positive'],
    ],
    ['supermajority: half is not', { algorithm: 'supermajority' }, ['APPROVE', 'REJECT'], ['negative']],
    ['unanimous: all', { algorithm: 'unanimous' }, ['APPROVE', 'APPROVE', 'APPROVE'], ['positive']],
    [
      'unanimous: whoever has not voted is missing, and rejects nothing',
      { algorithm: 'unanimous' },
      ['APPROVE', 'APPROVE'],
      [],
    ],
    ['unanimous: nor does an abstention', { algorithm: 'unanimous' }, ['APPROVE', 'APPROVE', 'ABSTAIN'], []],
    ['unanimous: one rejects', { algorithm: 'unanimous' }, ['APPROVE', 'APPROVE', 'REJECT'], ['negative']],
    ['plurality: a tie fails', { algorithm: 'plurality' }, ['APPROVE', 'REJECT'], ['negative']],
    ['plurality: more approve', { algorithm: 'plurality' }, ['APPROVE', 'REJECT', 'APPROVE'], ['positive']],
    [
      'weighted: by weight',
      { algorithm: 'weighted', weights: { lead: 3, ann: 1, bob: 1 } },
      ['APPROVE', 'REJECT', 'REJECT'],
      ['positive'],
    ],
    [
      'weighted: who has no weight rejects nothing',
      { algorithm: 'weighted', weights: { lead: 1 } },
      ['APPROVE', 'REJECT'],
      ['positive'],
    ],
    [
      'weighted: a name like a built-in property has no weight',
      { algorithm: 'weighted', weights: { toString: 1 } },
      ['APPROVE'],
      ['positive'],
    ],
  ];
  it.each(cases)('N-16: %s', (_, voting, choices, outcomes) => {
    expect(outcomesAfter(under({ voting }), option, ...votes(...choices))).toEqual(outcomes);
  });

  it('N-16: without a decisive vote, versions 1 and 2 of the rules allow a positive outcome, version 3 none', () => {
    for (const algorithm of ['majority', 'supermajority', 'unanimous', 'plurality'] as const) {
      for (const cast of [[], ['ABSTAIN']]) {
        const outcomes = (version: number, more: object = {}) =>
          outcomesAfter(under({ voting: { algorithm }, ...more }, version), option, ...votes(...cast));
        expect(outcomes(1)).toEqual(['positive']);
        expect(outcomes(2)).toEqual(['positive']);
        expect(outcomes(3)).toEqual([]);
        expect(outcomes(1, { commitment: { require_vote_quorum: true } })).toEqual([]);
      }
    }
    const weighted = { voting: { algorithm: 'weighted', weights: { ann: 1 } } };
    expect(outcomesAfter(under(weighted, 1), option, vote('bob', 'p1', 'REJECT'))).toEqual(['positive']);
    expect(outcomesAfter(under(weighted, 3), option, vote('bob', 'p1', 'REJECT'))).toEqual([]);
    expect(outcomesAfter(under({}, 3), option)).toEqual(['positive', 'negative']);
  });

  it('N-16: a passed vote can be declined only if the policy says so, and somebody rejected', () => {
    const commitment = { allow_decline_over_approval: true };
    const majority = { voting: { algorithm: 'majority' }, commitment };
    expect(outcomesAfter(under(majority), option, ...votes('APPROVE', 'REJECT'))).toEqual([
      'positive',
      'negative',
    ]);
    expect(outcomesAfter(under(majority), option, ...votes('APPROVE'))).toEqual(['positive']);
  });

  it('N-16: the quorum counts only where an outcome requires it', () => {
    const voting = { algorithm: 'majority', quorum: { type: 'percentage', value: 60 } };
    const strict = { voting, commitment: { require_vote_quorum: true } };
    expect(outcomesAfter(under({ voting }), option, ...votes('APPROVE'))).toEqual(['positive']);
    expect(outcomesAfter(under(strict), option, ...votes('APPROVE'))).toEqual([]);
    expect(outcomesAfter(under(strict), option, ...votes('APPROVE', 'ABSTAIN'))).toEqual(['positive']);
    const one = {
      voting: { algorithm: 'none', quorum: { type: 'count', value: 1 } },
      commitment: { require_vote_quorum: true },
    };
    expect(outcomesAfter(under(one), option)).toEqual([]);
    expect(outcomesAfter(under(one), option, ...votes('ABSTAIN'))).toEqual(['positive', 'negative']);
  });

  it('N-16: votes on all options are counted together, and a voter approves once', () => {
    const unanimous = under({ voting: { algorithm: 'unanimous' } });
    const two = [unanimous, option, suggest('ann', 'p2')];
    const most = [vote('lead', 'p1', 'APPROVE'), vote('lead', 'p2', 'APPROVE'), vote('ann', 'p2', 'APPROVE')];
    expect(outcomesAfter(...two, ...most)).toEqual([]);
    expect(outcomesAfter(...two, ...most, vote('bob', 'p1', 'APPROVE'))).toEqual(['positive']);
    expect(outcomesAfter(...two, ...most, vote('bob', 'p1', 'APPROVE'), vote('bob', 'p2', 'REJECT'))).toEqual(
      ['negative'],
    );
  });
});

describe('objections and evaluations', () => {
  const vetoes = (action?: string, more: object = {}) => ({
    voting: { algorithm: 'majority' },
    objection_handling: {
      critical_severity_vetoes: true,
      ...(action === undefined ? {} : { critical_objection_action: action }),
      ...more,
    },
  });
  const objected = [option, object('bob', 'p1', 'critical')];

  it('N-16: a critical objection prevents every outcome, or all but a negative one', () => {
    expect(outcomesAfter(under(vetoes()), ...objected, ...votes('APPROVE', 'APPROVE'))).toEqual([]);
    expect(outcomesAfter(under(vetoes('hold')), ...objected, ...votes('REJECT'))).toEqual([]);
    expect(outcomesAfter(under(vetoes('finalize_decline'), 2), ...objected, ...votes('APPROVE'))).toEqual([
      'negative',
    ]);
  });

  it('N-16: that negative outcome needs no votes, no quorum and no evaluation', () => {
    const strict = {
      ...vetoes('finalize_decline'),
      evaluation: { required_before_voting: true },
      commitment: { require_vote_quorum: true },
    };
    expect(outcomesAfter(under(strict, 3), ...objected)).toEqual(['negative']);
  });

  it('N-16: only critical objections count, as many as the policy says, and only if it says so', () => {
    const two = vetoes('deny', { veto_threshold: 2 });
    expect(outcomesAfter(under(two), ...objected, ...votes('APPROVE'))).toEqual(['positive']);
    expect(
      outcomesAfter(under(two), ...objected, object('ann', 'p1', 'critical'), ...votes('APPROVE')),
    ).toEqual([]);
    expect(outcomesAfter(under(vetoes()), option, object('bob', 'p1', 'high'), ...votes('APPROVE'))).toEqual([
      'positive',
    ]);
    expect(outcomesAfter(under({}), ...objected)).toEqual(['positive', 'negative']);
    expect(
      outcomesAfter(under(vetoes()), option, evaluate('bob', 'p1', 'BLOCK'), ...votes('APPROVE')),
    ).toEqual(['positive']);
  });

  it('N-16: a required evaluation takes a position, and is sure enough', () => {
    const required = { evaluation: { required_before_voting: true, minimum_confidence: 0.7 } };
    const after = (...steps: readonly Step[]) => outcomesAfter(under(required), option, ...steps);
    expect(after()).toEqual([]);
    expect(after(evaluate('bob', 'p1', 'REVIEW', 1))).toEqual([]);
    expect(after(evaluate('bob', 'p1', 'BLOCK', 0.6))).toEqual([]);
    expect(after(evaluate('bob', 'p1', 'BLOCK', 0.7), evaluate('ann', 'p1', 'APPROVE', 0.1))).toEqual([
      'positive',
      'negative',
    ]);
  });

  it('N-16: a denial carries its reasons', () => {
    const story = given(
      under(vetoes('deny', { veto_threshold: 2 }), 3),
      option,
      object('bob', 'p1', 'critical'),
      object('bob', 'p1', 'critical'),
    );
    const { decision } = story.when(settle(true, { policy_version: 'policy.test' }));
    expect(decision.refused).toMatchObject({
      code: 'POLICY_DENIED',
      details: {
        result: 'no_votes',
        vetoed_by: ['bob'],
        reasons: [
          '2 critical objections by "bob" prevent this (2 are enough).',
          'Nobody has cast a vote that counts.',
        ],
      },
    });
  });
});

describe('the reserved profiles', () => {
  const outcome = (id: string, ...choices: readonly string[]) =>
    given(startDecision({ policy_version: id }), option, ...votes(...choices)).when(
      settle(true, { policy_version: id }),
    ).result;
  it.each([
    ['policy.std.majority', ['APPROVE', 'REJECT'], 'accepted'],
    ['policy.std.majority', [], 'POLICY_DENIED'],
    ['policy.std.majority', ['REJECT'], 'POLICY_DENIED'],
    ['policy.std.supermajority', ['APPROVE', 'APPROVE', 'REJECT'], 'accepted'],
    ['policy.std.supermajority', ['APPROVE'], 'POLICY_DENIED'],
    ['policy.std.unanimous', ['APPROVE', 'APPROVE', 'APPROVE'], 'accepted'],
    ['policy.std.unanimous', ['APPROVE', 'APPROVE'], 'POLICY_DENIED'],
  ])('N-16: %s with %j is %s', (id, choices, result) => expect(outcome(id, ...choices)).toBe(result));
});

/** Every combination of one value from each list. */
function* combinations<Values extends readonly unknown[]>(
  ...lists: { readonly [Index in keyof Values]: readonly Values[Index][] }
): Generator<Values> {
  const [first = [], ...rest] = lists;
  if (lists.length === 0) yield [] as unknown as Values;
  else
    for (const value of first)
      for (const others of combinations(...rest)) yield [value, ...others] as unknown as Values;
}

const CHOICES = [undefined, 'APPROVE', 'REJECT', 'ABSTAIN'] as const;
type Situation = {
  readonly choices: readonly (string | undefined)[];
  readonly criticals: number;
  readonly confidence: number | undefined;
};

function situate({ choices, criticals, confidence }: Situation): Deliberation {
  const said = (sender: string, message_type: string, payload: object) =>
    ({ sender, message_type, payload: { proposal_id: 'p1', ...payload } }) as unknown as DecisionEnvelope;
  return [
    said('lead', 'Proposal', {}),
    ...(confidence === undefined
      ? []
      : [said('ann', 'Evaluation', { recommendation: 'APPROVE', confidence })]),
    ...Array.from({ length: criticals }, () => said('bob', 'Objection', { severity: 'critical' })),
    ...choices.flatMap((choice, index) =>
      choice === undefined ? [] : [said(DECIDERS[index] ?? '', 'Vote', { vote: choice })],
    ),
  ].reduce(applyToDecision, NOTHING_PROPOSED);
}

/** Whether an outcome may be committed: the text of the RFCs, read once more and differently. */
function judge(
  rules: DecisionRules,
  { choices, criticals, confidence }: Situation,
  positive: boolean,
): boolean {
  const { voting, objection_handling: objections, evaluation, commitment } = rules;
  const weightOf = (index: number) =>
    voting.algorithm === 'weighted' ? (voting.weights[DECIDERS[index] ?? ''] ?? 0) : 1;
  const sum = (wanted: string) =>
    choices.reduce((total, choice, index) => total + (choice === wanted ? weightOf(index) : 0), 0);
  const [yes, no] = [sum('APPROVE'), sum('REJECT')];
  const vetoed = objections.critical_severity_vetoes && criticals >= objections.veto_threshold;
  if (vetoed) return !positive && objections.critical_objection_action === 'finalize_decline';
  if (
    evaluation.required_before_voting &&
    (confidence === undefined || confidence < evaluation.minimum_confidence)
  )
    return false;
  if (
    commitment.require_vote_quorum &&
    choices.filter((choice) => choice !== undefined).length < voting.quorum.value
  )
    return false;
  if (voting.algorithm === 'none') return true;
  if (yes + no === 0) return positive && !voting.needs_votes && !commitment.require_vote_quorum;
  const bars: Record<Exclude<VotingAlgorithm, 'none'>, boolean> = {
    majority: yes / (yes + no) >= voting.threshold,
    supermajority: yes / (yes + no) >= voting.threshold,
    weighted: yes / (yes + no) >= voting.threshold,
    unanimous: choices.every((choice) => choice === 'APPROVE'),
    plurality: yes > no,
  };
  if (positive) return bars[voting.algorithm];
  return no > 0 && (!bars[voting.algorithm] || commitment.allow_decline_over_approval);
}

it('N-15, N-16: in every situation of three voters, under every kind of policy, exactly the outcomes of the text', () => {
  const situations = [...combinations(CHOICES, CHOICES, CHOICES, [0, 1, 2], [undefined, 0.2, 0.9])].map(
    ([first, second, third, criticals, confidence]) => {
      const situation = { choices: [first, second, third], criticals, confidence };
      return [situation, situate(situation)] as const;
    },
  );
  const flags = [false, true] as const;
  const policies = combinations(
    ['none', 'majority', 'supermajority', 'unanimous', 'weighted', 'plurality'] as const,
    flags,
    flags,
    flags,
    ['never', 'deny', 'finalize_decline'] as const,
    [undefined, 0, 0.5],
  );
  for (const [algorithm, isThird, quorum, decline, veto, confidence] of policies) {
    const rules = rulesOf(
      {
        voting: {
          algorithm,
          quorum: { type: 'count', value: 2 },
          ...(algorithm === 'weighted' ? { weights: { lead: 0.7, ann: 0.3 } } : {}),
        },
        objection_handling:
          veto === 'never'
            ? {}
            : { critical_severity_vetoes: true, veto_threshold: 2, critical_objection_action: veto },
        evaluation:
          confidence === undefined ? {} : { required_before_voting: true, minimum_confidence: confidence },
        commitment: { require_vote_quorum: quorum, allow_decline_over_approval: decline },
      },
      isThird ? 3 : 1,
    );
    const terms = { initiator: 'lead', participants: new Set<string>(DECIDERS), rules };
    for (const [situation, state] of situations) {
      const { outcomes } = explainDecision(state, terms, 'lead');
      for (const outcome of ['positive', 'negative'] satisfies NegotiationOutcome[]) {
        const isPositive = outcome === 'positive';
        if (outcomes.includes(outcome) === judge(rules, situation, isPositive)) continue;
        throw new Error(
          `A ${outcome} outcome after ${JSON.stringify(situation)} under ${JSON.stringify(rules)}.`,
        );
      }
    }
    const [, last] = situations.at(-1) ?? [];
    const message = { message_type: 'Commitment', sender: 'lead', payload: { outcome_positive: true } };
    const refused = checkDecisionMessage(
      last ?? NOTHING_PROPOSED,
      terms,
      message as unknown as DecisionEnvelope,
    );
    expect(refused === undefined).toBe(
      explainDecision(last ?? NOTHING_PROPOSED, terms, 'lead').outcomes.includes('positive'),
    );
  }
});
