import { expect, it } from 'vitest';
import { describeMessage } from '../../session/describe-message.js';
import { given, sessionOf } from '../../testing/given.js';
import { approveUnder, ask, cast, conclude, startApproval } from '../../testing/quorum-steps.js';
import { decodeApproval, encodeApproval } from './encode.js';
import { quorumMode } from './mode.js';
import { parseQuorumRules } from './parse-rules.js';
import { projectApproval } from './projection.js';

const steps = [
  startApproval(),
  ask(2),
  cast('ann', 'Approve'),
  cast('eve', 'Abstain'),
  cast('bob', 'Approve'),
  conclude(),
];

it('N-12: the projection of an approval has the state of the session after every message', () => {
  const phases = steps.map((_, index) => {
    const story = given(...steps.slice(0, index + 1));
    const projected = projectApproval(story.records.map(({ envelope }) => envelope));
    if (!projected.ok) throw new Error(projected.refusal.message);
    const state = encodeApproval(projected.value.negotiation);
    const { negotiation } = sessionOf(story) as { negotiation: unknown };
    expect(state).toEqual(quorumMode.encode(negotiation as typeof quorumMode.initial));
    const stored = JSON.parse(JSON.stringify(state));
    expect(JSON.parse(JSON.stringify(encodeApproval(decodeApproval(stored))))).toEqual(stored);
    return projected.value.phase;
  });
  expect(phases).toEqual(['Pending', 'Voting', 'Voting', 'Voting', 'Voting', 'Committed']);
});

it('N-12, N-17: the projection of an approval tells who asked for what, and the ballots', () => {
  const { records } = given(...steps);
  const envelopes = records.map(({ envelope }) => envelope);
  const projected = projectApproval(envelopes);
  if (!projected.ok) throw new Error(projected.refusal.message);
  const { value } = projected;
  expect(value.request).toMatchObject({
    requestId: 'r1',
    requester: 'lead',
    action: 'deploy',
    requiredApprovals: 2,
  });
  expect([...value.ballots.values()].map(({ sender, ballot }) => [sender, ballot])).toEqual([
    ['ann', 'Approve'],
    ['eve', 'Abstain'],
    ['bob', 'Approve'],
  ]);
  expect([value.approvals, value.requiredApprovals, value.hasQuorum()]).toEqual([2, 2, true]);
  const sentences = envelopes.map((envelope) => {
    const { by, verb, about, said } = describeMessage(envelope);
    return `${by} ${verb} ${about} ${said}`;
  });
  expect(sentences.slice(1, 4)).toEqual([
    'lead asks to approve r1 deploy: Deploy version 2 (needs 2 approvals)',
    'ann approves r1 so',
    'eve abstains on r1 so',
  ]);
});

it('N-12, N-18: the projection counts by the rules of the policy', () => {
  const read = parseQuorumRules({ threshold: { type: 'percentage', value: 100 } });
  if (!read.ok) throw new Error(read.refusal.message);
  const { records } = given(approveUnder(read.value), ask(1), cast('ann', 'Approve'));
  const projected = projectApproval(
    records.map(({ envelope }) => envelope),
    { rules: read.value },
  );
  if (!projected.ok) throw new Error(projected.refusal.message);
  expect([projected.value.requiredApprovals, projected.value.hasQuorum()]).toEqual([3, false]);
});
