import { describe, expect, it } from 'vitest';
import { becomes, type Case } from '../../testing/cases.js';
import { given, type Story, sessionOf } from '../../testing/given.js';
import {
  accept,
  commit,
  counter,
  propose,
  reject,
  start,
  startUnder,
  withdraw,
} from '../../testing/steps.js';
import { DEFAULT_PROPOSAL_RULES, PROPOSAL_POLICIES } from './policies.js';
import type { ProposalRules } from './rules.js';

const RFC_0008 = PROPOSAL_POLICIES.get('policy.rfc-0008')?.rules ?? DEFAULT_PROPOSAL_RULES;

function rules(
  change: { readonly [Section in keyof ProposalRules]?: Partial<ProposalRules[Section]> },
): ProposalRules {
  const sections = Object.keys(DEFAULT_PROPOSAL_RULES) as (keyof ProposalRules)[];
  const changed = sections.map((name) => [name, { ...DEFAULT_PROPOSAL_RULES[name], ...change[name] }]);
  return Object.fromEntries(changed) as ProposalRules;
}

function live(story: Story): ReadonlySet<string> {
  return new Set(sessionOf(story).negotiation.live.keys());
}

describe('policies', () => {
  const rfc = [start({ policy_version: 'policy.rfc-0008' }), propose('seller', 'p1')];
  const bothAccept = (id: string) => [accept('seller', id), accept('buyer', id)];
  const rfcCommit = commit('buyer', { policy_version: 'policy.rfc-0008' });
  const testCommit = (sender: string, change = {}) =>
    commit(sender, { policy_version: 'policy.test', ...change });
  const counterparty = startUnder(
    rules({ acceptance: { criterion: 'counterparty', commitment_accepts: false } }),
  );
  const initiator = startUnder(rules({ acceptance: { criterion: 'initiator' } }));
  const twoRounds = startUnder(rules({ counter_proposal: { max_rounds: 2 } }));
  const anyReject = startUnder(rules({ rejection: { terminal_on_any_reject: true } }));
  const onlyInitiatorEnds = startUnder(
    rules({ rejection: { terminal_on_any_reject: true, authority: 'initiator_only' } }),
  );
  const anybody = rules({ commitment: { authority: 'any_participant' } });
  const anybodyCommits = startUnder(anybody);
  const notaryCommits = startUnder(
    rules({ commitment: { authority: 'designated_role', designated_roles: ['notary'] } }),
  );
  const rounds = [
    twoRounds,
    propose('seller', 'p1'),
    counter('buyer', 'p2', 'p1'),
    counter('seller', 'p3', 'p2'),
  ];

  it.each<Case>([
    [
      'N-13: rfc-0008: a countered proposal stays live',
      [...rfc, counter('buyer', 'p2', 'p1')],
      accept('buyer', 'p1'),
      'accepted',
    ],
    ['N-13: rfc-0008: only the author withdraws', rfc, withdraw('buyer', 'p1'), 'FORBIDDEN'],
    ['N-13: rfc-0008: the author withdraws', rfc, withdraw('seller', 'p1'), 'accepted'],
    [
      'N-13: rfc-0008: committing is not an acceptance',
      [...rfc, accept('seller', 'p1')],
      rfcCommit,
      'INVALID_ENVELOPE',
    ],
    ['N-13: rfc-0008: every participant accepts', [...rfc, ...bothAccept('p1')], rfcCommit, 'accepted'],
    [
      'N-13: rfc-0008: continues after a terminal rejection',
      [...rfc, reject('buyer', 'p1', true)],
      propose('buyer', 'p2'),
      'accepted',
    ],
    [
      'N-13: rfc-0008: a positive outcome next to a terminal rejection',
      [...rfc, propose('buyer', 'p2'), reject('buyer', 'p1', true), ...bothAccept('p2')],
      rfcCommit,
      'accepted',
    ],
    [
      'N-13: counterparty: all but the proposer',
      [counterparty, propose('seller', 'p1'), accept('buyer', 'p1')],
      testCommit('buyer'),
      'accepted',
    ],
    [
      'N-13: counterparty: not the proposer alone',
      [counterparty, propose('seller', 'p1'), accept('seller', 'p1')],
      testCommit('buyer'),
      'INVALID_ENVELOPE',
    ],
    [
      'N-13: initiator: committing the only proposal is enough',
      [initiator, propose('seller', 'p1')],
      testCommit('buyer'),
      'accepted',
    ],
    [
      'N-13: initiator: with two it must accept one',
      [initiator, propose('seller', 'p1'), propose('seller', 'p2')],
      testCommit('buyer'),
      'INVALID_ENVELOPE',
    ],
    [
      'N-13: initiator: with two it has accepted one',
      [initiator, propose('seller', 'p1'), propose('seller', 'p2'), accept('buyer', 'p2')],
      testCommit('buyer'),
      'accepted',
    ],
    ['N-13: max_rounds counts counter-proposals', rounds, counter('buyer', 'p4', 'p3'), 'INVALID_ENVELOPE'],
    ['N-13: max_rounds does not count proposals', rounds, propose('buyer', 'p4'), 'accepted'],
    [
      'N-13: terminal_on_any_reject',
      [anyReject, propose('seller', 'p1'), reject('buyer', 'p1')],
      propose('buyer', 'p2'),
      'SESSION_NOT_OPEN',
    ],
    [
      'N-13: rejection.authority: another may not end it',
      [onlyInitiatorEnds, propose('buyer', 'p1')],
      reject('seller', 'p1', true),
      'FORBIDDEN',
    ],
    [
      'N-13: rejection.authority: another may reject',
      [onlyInitiatorEnds, propose('buyer', 'p1'), reject('seller', 'p1')],
      propose('buyer', 'p2'),
      'accepted',
    ],
    [
      'N-13: rejection.authority: the initiator ends it',
      [onlyInitiatorEnds, propose('seller', 'p1'), reject('buyer', 'p1')],
      propose('buyer', 'p2'),
      'SESSION_NOT_OPEN',
    ],
    [
      'N-13: any participant commits',
      [anybodyCommits, propose('seller', 'p1'), accept('buyer', 'p1')],
      testCommit('seller'),
      'accepted',
    ],
    [
      'N-13: but not a stranger',
      [anybodyCommits, propose('seller', 'p1'), accept('buyer', 'p1')],
      testCommit('stranger'),
      'FORBIDDEN',
    ],
    [
      'N-13: and an initiator who is not a participant',
      [
        startUnder(anybody, { participants: ['seller'] }, 'boss'),
        propose('seller', 'p1'),
        accept('seller', 'p1'),
      ],
      testCommit('boss'),
      'accepted',
    ],
    [
      'N-13: the designated one commits',
      [notaryCommits, propose('seller', 'p1'), ...bothAccept('p1')],
      testCommit('notary'),
      'accepted',
    ],
    [
      'N-13: and not the initiator',
      [notaryCommits, propose('seller', 'p1'), ...bothAccept('p1')],
      testCommit('buyer'),
      'FORBIDDEN',
    ],
    [
      "N-13: an empty policy version is the session's",
      [anybodyCommits, propose('seller', 'p1'), accept('buyer', 'p1')],
      commit('seller'),
      'accepted',
    ],
  ])('%s', becomes);

  const asksInitiator = (
    commitment_accepts: boolean,
    commitment: Partial<ProposalRules['commitment']> = {},
  ) => rules({ acceptance: { criterion: 'initiator', commitment_accepts }, commitment });
  const notary = { authority: 'designated_role', designated_roles: ['notary'] } as const;
  it.each([
    ['an outside initiator with no way to accept', asksInitiator(false), 'boss', 'INVALID_ENVELOPE'],
    ['one who leaves committing to others', asksInitiator(true, notary), 'boss', 'INVALID_ENVELOPE'],
    ['one who accepts by committing', asksInitiator(true), 'boss', 'accepted'],
    ['a participating one', asksInitiator(false, notary), 'buyer', 'accepted'],
  ])('N-1, N-13: criterion initiator: %s', (_, asked, initiator, expected) => {
    const { result, decision } = given().when(startUnder(asked, {}, initiator));
    expect(result).toBe(expected);
    if (expected === 'accepted') return;
    expect(decision.refused?.details).toEqual({
      field: 'payload.participants',
      found: 'a list that does not include the initiator "boss"',
      expected:
        'a list that includes the initiator: the policy requires its acceptance, and only participants can accept',
    });
  });

  it('N-13: criterion initiator: an outside initiator accepts by committing', () => {
    const story = given(startUnder(asksInitiator(true), {}, 'boss'), propose('seller', 'p1'));
    expect(story.when(testCommit('boss')).result).toBe('accepted');
  });

  it('N-13: a session keeps the rules it was started with', () => {
    const story = given(startUnder(RFC_0008), propose('seller', 'p1'));
    const lookUpNothing = () => undefined;
    const outcome = story.when({ ...counter('buyer', 'p2', 'p1'), policies: lookUpNothing });
    expect(live(outcome)).toEqual(new Set(['p1', 'p2']));
    expect(story.records[0]?.facts).toMatchObject({ policy_id: 'policy.test', rules: RFC_0008 });
  });
});
