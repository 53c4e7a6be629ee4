import fc from 'fast-check';
import type { JsonObject } from '../../json/json.js';
import { initiatorCanAccept } from '../modes/proposal/mode.js';
import { DEFAULT_PROPOSAL_RULES, PROPOSAL_POLICIES } from '../modes/proposal/policies.js';
import type { ProposalRules } from '../modes/proposal/rules.js';
import {
  accept,
  as,
  at,
  callerNamed,
  commit,
  control,
  counter,
  expire,
  propose,
  reject,
  type Step,
  send,
  startPayload,
  withdraw,
} from './steps.js';

const PARTIES = ['buyer', 'seller', 'broker'] as const;

const party = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('buyer', 'seller') },
  { weight: 1, arbitrary: fc.constant('broker') },
);
const anybody = fc.constantFrom(...PARTIES, 'notary', 'mallory');
const proposalId = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('p1', 'p2') },
  { weight: 1, arbitrary: fc.constantFrom('p3', '__proto__') },
);

const honest: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(party, proposalId).map(([who, id]) => propose(who, id)) },
  {
    weight: 3,
    arbitrary: fc.tuple(party, proposalId, proposalId).map(([who, id, of]) => counter(who, id, of)),
  },
  { weight: 8, arbitrary: fc.tuple(party, proposalId).map(([who, id]) => accept(who, id)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(party, proposalId, fc.integer({ min: 0, max: 3 }))
      .map(([who, id, dice]) => reject(who, id, dice === 0)),
  },
  { weight: 1, arbitrary: fc.tuple(party, proposalId).map(([who, id]) => withdraw(who, id)) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(party, fc.boolean(), fc.constantFrom('policy.test', 'policy.test', 'policy.test', ''))
      .map(([who, outcome_positive, policy_version]) => commit(who, { outcome_positive, policy_version })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('suspend', 'resume', 'resume'), party)
      .map(([type, who]) => control(type, who)),
  },
  { weight: 1, arbitrary: fc.constant(expire) },
);

const ending: fc.Arbitrary<Step> = party.map((who) => control('cancel', who));

const malformed: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject>(
  {},
  { proposal_id: 7 },
  { proposal_id: '' },
  { proposal_id: 'p1', details: 'not base64' },
  { proposal_id: 'p1', terminal: 'true' },
  { proposal_id: 'p1', reason: [] },
);

const hostile: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.constantFrom('notary', 'mallory'), proposalId).map(([who, id]) => propose(who, id)),
  fc.constantFrom('notary', 'mallory').map((who) => commit(who)),
  fc.tuple(anybody, proposalId).map(([who, id]) => foreign(who, 'Accept', { proposal_id: id })),
  fc.tuple(anybody, malformed).map(([who, payload]) => send(who, 'Reject', payload)),
  fc
    .tuple(anybody, fc.constantFrom('SessionCancel', 'TtlExpired', 'Vote', 'Signal'))
    .map(([who, type]) => send(who, type, {})),
  fc
    .constantFrom({ macp_version: '2.0' }, { mode: 'x' }, { session_id: 'x' }, { message_id: 'runtime:1' })
    .map((change) => send('buyer', 'Proposal', { proposal_id: 'p3' }, { change })),
  fc.tuple(anybody, fc.constantFrom('cancel', 'suspend', 'resume')).map(([who, type]) => control(type, who)),
  anybody.map((who) => send(who, 'SessionStart', startPayload())),
  party.map((who) => commit(who, { mode_version: '9' })),
);

/** Mallory's token under someone else's name. */
function foreign(sender: string, type: string, payload: JsonObject): Step {
  return send(sender, type, payload, { by: callerNamed('mallory') });
}

const policy: fc.Arbitrary<ProposalRules> = fc.oneof(
  fc.constantFrom(...[...PROPOSAL_POLICIES.values()].map(({ rules }) => rules)),
  fc.record<ProposalRules>({
    acceptance: fc.record({
      criterion: fc.constantFrom('all_parties', 'counterparty', 'initiator'),
      commitment_accepts: fc.boolean(),
    }),
    counter_proposal: fc.record({
      max_rounds: fc.integer({ min: 0, max: 2 }),
      retires_original: fc.boolean(),
    }),
    rejection: fc.record({
      terminal_on_any_reject: fc.boolean(),
      authority: fc.constantFrom('any_participant', 'initiator_only'),
      closes_negotiation: fc.boolean(),
    }),
    withdrawal: fc.record({ authority: fc.constantFrom('any_participant', 'author') }),
    commitment: fc.constantFrom(
      DEFAULT_PROPOSAL_RULES.commitment,
      { authority: 'any_participant', designated_roles: [] },
      { authority: 'designated_role', designated_roles: ['notary'] },
    ),
  }),
);

/** What several parties, some of them hostile, try to do in one session, under some policy. */
export interface History {
  readonly rules: ProposalRules;
  readonly participants: readonly string[];
  readonly attempts: readonly Step[];
}

const attempt: fc.Arbitrary<Step> = fc
  .record({
    step: fc.oneof(
      { weight: 40, arbitrary: honest },
      { weight: 8, arbitrary: hostile },
      { weight: 1, arbitrary: ending },
    ),
    // Few ids, so that some are used again.
    messageId: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined, freq: 2 }),
  })
  .map(({ step, messageId }) => (messageId === undefined ? step : as(`id-${messageId}`, step)));

/** How far the clock moves, in milliseconds: mostly a little, sometimes far or backwards. */
const pause = fc.oneof(
  { weight: 60, arbitrary: fc.constant(5) },
  { weight: 1, arbitrary: fc.constantFrom(70_000, 700_000_000) },
  { weight: 2, arbitrary: fc.constant(-3) },
);

const attempts = fc
  .array(fc.tuple(pause, attempt), { minLength: 5, maxLength: 60, size: 'max' })
  .map((steps) => {
    let clock = 0;
    return steps.map(([milliseconds, step]) => {
      clock += milliseconds;
      return at(clock, step);
    });
  });

/** Random histories of valid sessions that `buyer` starts. */
export const history: fc.Arbitrary<History> = fc
  .record({
    rules: policy,
    participants: fc.constantFrom(['buyer', 'seller'], [...PARTIES], ['seller']),
    attempts,
  })
  .filter(
    ({ rules, participants }) =>
      rules.acceptance.criterion !== 'initiator' ||
      initiatorCanAccept({ rules, initiator: 'buyer', participants: new Set(participants) }),
  );
