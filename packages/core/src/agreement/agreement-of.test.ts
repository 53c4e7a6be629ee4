import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json/json.js';
import { hashCommitment, isCommitment, PROPOSAL_MODE } from '../negotiation/index.js';
import { settle, startDecision, suggest, vote } from '../negotiation/testing/decision-steps.js';
import { given } from '../negotiation/testing/given.js';
import { ask, cast, conclude, startApproval } from '../negotiation/testing/quorum-steps.js';
import {
  accept,
  callerNamed,
  commit,
  control,
  counter,
  propose,
  reject,
  SESSION_ID,
  type Step,
  send,
  start,
} from '../negotiation/testing/steps.js';
import type { AgreedCall } from '../operations/index.js';
import { agreementOf, scopeToCommit } from './agreement-of.js';
import { attachCall, scopeOf } from './attached-call.js';

const PAY: AgreedCall = {
  space: 'main',
  method: 'tools/call',
  params: { name: 'pay', arguments: { amount: 4000 } },
};
const MORE: AgreedCall = { ...PAY, params: { name: 'pay', arguments: { amount: 9000 } } };

const inBase64 = (text: string): string => Buffer.from(text).toString('base64');
const attached = (call: AgreedCall): string => inBase64(JSON.stringify(attachCall(call, { note: 'budget' })));

/** A message with more in its payload. */
function withMore(step: Step, more: JsonObject): Step {
  return {
    ...step,
    command(id) {
      const command = step.command(id);
      if (command.type !== 'send') return command;
      const { envelope } = command;
      return { ...command, envelope: { ...envelope, payload: { ...envelope.payload, ...more } } };
    },
  };
}

const offer = (by: string, id: string, call: AgreedCall): Step =>
  withMore(propose(by, id), { details: attached(call) });
const begin = start({ participants: ['sales', 'finance', 'ops'] }, 'sales');
const close = (call: AgreedCall, more: JsonObject = {}): Step =>
  commit('sales', { authority_scope: scopeOf(call), ...more });

function agreed(...steps: readonly Step[]) {
  const found = agreementOf(given(...steps).records);
  return found?.ok === true ? found.value : (found?.refusal ?? undefined);
}

describe('a call in Proposal Mode', () => {
  const steps = [begin, offer('finance', 'p1', PAY), accept('finance', 'p1'), accept('ops', 'p1')];

  it('N-32: is what was accepted, and what the Commitment names', () => {
    const { records } = given(...steps, close(PAY));
    const { envelope } = records.at(-1) ?? {};
    const outcome = agreementOf(records);
    if (outcome?.ok !== true || envelope === undefined || !isCommitment(envelope))
      throw new Error('not agreed');
    expect(outcome.value.call).toEqual(PAY);
    expect(outcome.value.agreement).toMatchObject({
      session: SESSION_ID,
      mode: PROPOSAL_MODE,
      policy: 'policy.default',
      commitment: 'c1',
      commitmentHash: hashCommitment(envelope.payload),
      sequence: 5,
      committedBy: 'sales',
      positive: true,
      about: 'p1',
      // Committing accepts nothing in anyone's name: sales sent no Accept.
      accepted: ['finance', 'ops'],
      rejected: [],
    });
  });

  it('N-32: a Commitment that names no call is about none', () => {
    expect(agreed(...steps, commit('sales'))).toBeUndefined();
    expect(agreed(...steps, commit('sales', { authority_scope: 'call:sha256:00' }))).toBeUndefined();
  });

  it('N-32: the committer cannot name a call that nobody offered, or that was not the one agreed on', () => {
    expect(agreed(...steps, close(MORE))).toMatchObject({ code: 'no_agreement' });
    const both = [begin, offer('sales', 'p0', MORE), ...steps.slice(1)];
    expect(agreed(...both, close(MORE))).toMatchObject({ code: 'no_agreement' });
    expect(agreed(...both, close(PAY))).toMatchObject({ call: PAY });
  });

  it('N-32: a party that replaces the offer at the last moment has committed nobody to its call', () => {
    const replaced = [
      ...steps,
      withMore(counter('ops', 'p2', 'p1'), { details: attached(MORE) }),
      accept('ops', 'p2'),
      accept('finance', 'p2'),
    ];
    // The committer had seen p1.
    expect(agreed(...replaced, close(PAY))).toMatchObject({ code: 'no_agreement' });
  });

  it('N-32: a committer is told the scope of what was agreed, or rejected, and of nothing else', () => {
    const scopeAfter = (isPositive: boolean, ...some: readonly Step[]) => {
      const { state, records } = given(...some);
      const transcript = records.map(({ envelope }) => envelope);
      return scopeToCommit({ ...state, terms: state?.terms, transcript }, { committer: 'sales', isPositive });
    };
    expect(scopeAfter(true, ...steps)).toBe(scopeOf(PAY));
    expect(scopeAfter(false, ...steps.slice(0, 2))).toBe(scopeOf(PAY));
    expect(scopeAfter(true, ...steps.slice(0, 3))).toBeUndefined();
    const other = [withMore(counter('ops', 'p2', 'p1'), { details: attached(MORE) }), accept('ops', 'p2')];
    expect(scopeAfter(true, ...steps, ...other)).toBeUndefined();
    expect(scopeAfter(true, ...steps, ...other, accept('finance', 'p2'))).toBe(scopeOf(MORE));
    expect(scopeAfter(false, ...steps, ...other)).toBe(scopeOf(MORE));
    const without = [begin, propose('finance', 'p1'), accept('finance', 'p1'), accept('ops', 'p1')];
    expect(scopeAfter(true, ...without)).toBeUndefined();
  });

  it('N-32: the same arguments for another executor, or in another space, are another call', () => {
    for (const other of [
      { ...PAY, executor: 'mallory' },
      { ...PAY, space: 'other' },
    ])
      expect(agreed(...steps, close(other))).toMatchObject({ code: 'no_agreement' });
  });

  it('N-32: who was spoken for by somebody else has not accepted, and cannot commit', () => {
    const mallory = callerNamed('mallory', { actAs: 'anyone' });
    const byMallory = send('ops', 'Accept', { proposal_id: 'p1' }, { by: mallory });
    const spoken = [...steps.slice(0, 3), byMallory];
    expect(agreed(...spoken, close(PAY))).toMatchObject({ agreement: { accepted: ['finance'] } });
    const step = close(PAY);
    const committed: Step = {
      command: (id) => ({ ...step.command(id), caller: mallory }) as never,
    };
    expect(agreed(...steps, committed)).toMatchObject({ code: 'no_agreement' });
  });

  it('N-32: who rejected the offer, too, has not accepted it', () => {
    const torn = [...steps.slice(0, 2), reject('ops', 'p1'), ...steps.slice(2)];
    expect(agreed(...torn, close(PAY))).toMatchObject({
      agreement: { accepted: ['finance'], rejected: [] },
    });
  });

  it('N-32: a negative outcome says who rejected the call', () => {
    const no = [...steps.slice(0, 3), reject('ops', 'p1', true), close(PAY, { outcome_positive: false })];
    expect(agreed(...no)).toMatchObject({
      agreement: { positive: false, accepted: ['finance'], rejected: ['ops'] },
    });
  });

  it('N-32: a Commitment that supersedes another makes nothing run: what it replaces may have', () => {
    const supersedes = { session_id: SESSION_ID, commitment_hash: `sha256:${'0'.repeat(64)}` };
    expect(agreed(...steps, close(PAY, { supersedes }))).toMatchObject({ code: 'no_agreement' });
  });

  it('N-32: a session without a Commitment has agreed on nothing', () => {
    expect(agreed(...steps, control('cancel', 'sales'))).toBeUndefined();
  });

  it('N-32: an attachment that can be read in two ways has no call', () => {
    const twice = `{"proffer/call":${JSON.stringify(PAY)},"proffer/call":${JSON.stringify(MORE)}}`;
    const strange = JSON.stringify({ 'proffer/call': { ...PAY, runAs: 'root' } });
    for (const [text, code] of [
      [twice, 'duplicate_key'],
      [strange, 'invalid_field'],
      [JSON.stringify({ 'proffer/call': { ...PAY, params: 'all' } }), 'invalid_field'],
      [JSON.stringify({ 'proffer/call': { space: 'main', proposal: 'p', digest: 'x' } }), 'invalid_field'],
    ] as const) {
      const odd = withMore(propose('finance', 'p1'), { details: inBase64(text) });
      const story = [begin, odd, accept('finance', 'p1'), accept('ops', 'p1'), close(PAY)];
      expect(agreed(...story)).toMatchObject({ code });
    }
    const notText = withMore(propose('finance', 'p1'), { details: '/w==' });
    expect(agreed(begin, notText, accept('finance', 'p1'), accept('ops', 'p1'), close(PAY))).toMatchObject({
      code: 'no_agreement',
    });
  });
});

describe('a call in the other modes', () => {
  it('N-32: in Decision Mode, only votes on its own option count for it', () => {
    const option = (by: string, id: string, call: AgreedCall): Step =>
      withMore(suggest(by, id), { supporting_data: attached(call) });
    const policy_version = 'policy.std.majority';
    const majority = startDecision({ policy_version });
    const votes = [
      option('ann', 'o1', PAY),
      option('bob', 'o2', MORE),
      vote('ann', 'o1', 'APPROVE'),
      vote('lead', 'o1', 'APPROVE'),
      vote('bob', 'o1', 'ABSTAIN'),
      vote('bob', 'o2', 'APPROVE'),
      vote('ann', 'o2', 'REJECT'),
      vote('lead', 'o2', 'REJECT'),
    ];
    const end = (call: AgreedCall, more: JsonObject = { policy_version }): Step =>
      settle(true, { authority_scope: scopeOf(call), ...more });
    expect(agreed(majority, ...votes, end(PAY))).toMatchObject({
      call: PAY,
      agreement: { about: 'o1', accepted: ['lead', 'ann'], abstained: ['bob'] },
    });
    expect(agreed(majority, ...votes, end(MORE))).toMatchObject({ code: 'no_agreement' });
    // A policy that leaves the outcome to the committer gives nobody's approval away.
    expect(agreed(startDecision(), ...votes, end(MORE, {}))).toMatchObject({
      agreement: { accepted: ['bob'], rejected: ['lead', 'ann'] },
    });
  });

  it('N-32: in Quorum Mode, the ballots say who approves the one request', () => {
    const request = withMore(ask(2), {
      details: attached({ space: 'main', proposal: 'p7', digest: `sha256:${'a'.repeat(64)}` }),
    });
    const scope = scopeOf({ space: 'main', proposal: 'p7', digest: `sha256:${'a'.repeat(64)}` });
    const ballots = [cast('ann', 'Approve'), cast('bob', 'Approve'), cast('eve', 'Reject')];
    expect(
      agreed(startApproval(), request, ...ballots, conclude(true, { authority_scope: scope })),
    ).toMatchObject({
      call: { proposal: 'p7' },
      agreement: { committedBy: 'lead', accepted: ['ann', 'bob'], rejected: ['eve'] },
    });
  });
});
