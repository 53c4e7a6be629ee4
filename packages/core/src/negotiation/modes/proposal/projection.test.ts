import { describe, expect, it } from 'vitest';
import { given, type Story, sessionOf } from '../../testing/given.js';
import {
  accept,
  callerNamed,
  commit,
  control,
  counter,
  propose,
  reject,
  type Step,
  send,
  start,
  startUnder,
  withdraw,
} from '../../testing/steps.js';
import type { MacpEnvelope } from '../../wire/macp-envelope.js';
import { encodeNegotiation } from './encode.js';
import { DEFAULT_PROPOSAL_RULES } from './policies.js';
import { ProposalProjection, projectNegotiation } from './projection.js';

function envelopes(story: Story): readonly MacpEnvelope[] {
  return story.records.map(({ envelope }) => envelope);
}

function project(...steps: readonly Step[]): ProposalProjection {
  const story = given(...steps);
  const { rules } = sessionOf(story).terms;
  const projected = projectNegotiation(envelopes(story), { rules });
  if (!projected.ok) throw new Error(projected.refusal.message);
  expect(encodeNegotiation(projected.value.negotiation)).toEqual(
    encodeNegotiation(sessionOf(story).negotiation),
  );
  return projected.value;
}

const open = [start(), propose('seller', 'p1')];

describe("the guide's examples", () => {
  const dev = { by: callerNamed('coordinator', { actAs: 'anyone' }) };
  const contract = [
    start({ participants: ['coordinator', 'buyer', 'seller'], ttl_ms: 120_000 }, 'coordinator'),
    send('seller', 'Proposal', { proposal_id: 'p1', title: 'Standard Package', summary: '$100k/year' }, dev),
    send(
      'buyer',
      'CounterProposal',
      { proposal_id: 'p2', supersedes_proposal_id: 'p1', title: 'Enhanced Package', summary: '$80k/year' },
      dev,
    ),
    send('seller', 'Accept', { proposal_id: 'p2', reason: 'terms acceptable' }, dev),
    send('buyer', 'Accept', { proposal_id: 'p2', reason: 'agreed' }, dev),
  ];

  it('N-7, N-9, N-12: one client negotiates a contract for all parties', () => {
    const before = project(...contract);
    expect(before.acceptedProposal()).toBe('p2');
    expect(before.isConverged()).toBe(true);
    expect(before.isConverged('seller')).toBe(false);
    expect(before.isPositiveOutcome).toBeUndefined();

    const after = project(...contract, commit('coordinator', { reason: 'Both parties accepted p2' }));
    expect(after.phase).toBe('Committed');
    expect(after.isCommitted).toBe(true);
    expect(after.isPositiveOutcome).toBe(true);
    expect(after.commitment).toMatchObject({ action: 'contract.agreed', reason: 'Both parties accepted p2' });
    expect([...after.proposals.values()]).toEqual([
      {
        proposalId: 'p1',
        proposer: 'seller',
        title: 'Standard Package',
        summary: '$100k/year',
        details: '',
        tags: [],
        disposition: 'withdrawn',
        status: 'withdrawn',
        supersededBy: 'p2',
      },
      expect.objectContaining({ proposalId: 'p2', proposer: 'buyer', disposition: 'live', supersedes: 'p1' }),
    ]);
    expect(after.liveProposals().map(({ proposalId }) => proposalId)).toEqual(['p2']);
    expect(after.accepts.get('seller')).toEqual({
      sender: 'seller',
      proposalId: 'p2',
      reason: 'terms acceptable',
    });
    expect(after.transcript.map(({ message_type }) => message_type)).toEqual([
      'SessionStart',
      'Proposal',
      'CounterProposal',
      'Accept',
      'Accept',
      'Commitment',
    ]);
  });

  it('N-9, N-12: several rounds', () => {
    const projection = project(
      start({ participants: ['vendor', 'client'] }, 'client'),
      propose('vendor', 'p1'),
      counter('client', 'p2', 'p1'),
      counter('vendor', 'p3', 'p2'),
      accept('client', 'p3'),
      accept('vendor', 'p3'),
    );
    expect(projection.acceptedProposal()).toBe('p3');
    expect(projection.proposals.get('p2')).toMatchObject({ supersedes: 'p1', supersededBy: 'p3' });
    expect(projection.isConverged()).toBe(true);
    expect(projection.phase).toBe('Negotiating');
  });
});

describe("the reader's view", () => {
  it('N-12: acceptances and terminal rejections disappear with their proposal; rejections stay on record', () => {
    const rejected = [...open, accept('buyer', 'p1'), reject('seller', 'p1'), reject('buyer', 'p1', true)];
    const before = project(...rejected);
    expect(before.hasTerminalRejection()).toBe(true);
    expect(before.phase).toBe('TerminalRejected');
    expect(before.terminalRejections).toEqual([
      { sender: 'buyer', proposalId: 'p1', reason: 'no', terminal: true },
    ]);
    const after = project(...rejected, withdraw('seller', 'p1'));
    expect(after.hasTerminalRejection()).toBe(false);
    expect(after.terminalRejections).toEqual([]);
    expect(after.accepts.size).toBe(0);
    expect(after.acceptedProposal()).toBeUndefined();
    expect(after.rejections.map(({ sender, terminal }) => [sender, terminal])).toEqual([
      ['seller', false],
      ['buyer', true],
    ]);
    expect(after.phase).toBe('Negotiating');
  });

  it('N-12: diverging acceptances', () => {
    const projection = project(
      ...open,
      propose('buyer', 'p2'),
      accept('seller', 'p1'),
      accept('buyer', 'p2'),
    );
    expect(projection.acceptedProposal()).toBeUndefined();
    expect(projection.isConverged()).toBe(false);
  });

  it("N-12, N-13: the session's rules decide, not the flag in the message", () => {
    const rules = {
      ...DEFAULT_PROPOSAL_RULES,
      rejection: { ...DEFAULT_PROPOSAL_RULES.rejection, terminal_on_any_reject: true },
    };
    const projection = project(startUnder(rules), propose('seller', 'p1'), reject('buyer', 'p1'));
    expect(projection.phase).toBe('TerminalRejected');
  });

  it('N-12, N-13: without rules, uses those of the built-in policy named in the start', () => {
    const story = given(
      start({ policy_version: 'policy.rfc-0008' }),
      propose('seller', 'p1'),
      counter('buyer', 'p2', 'p1'),
      accept('seller', 'p1'),
    );
    const projected = projectNegotiation(envelopes(story));
    if (!projected.ok) throw new Error(projected.refusal.message);
    expect(encodeNegotiation(projected.value.negotiation)).toEqual(
      encodeNegotiation(sessionOf(story).negotiation),
    );
    expect(projected.value.liveProposals().map(({ proposalId }) => proposalId)).toEqual(['p1', 'p2']);
  });

  it('N-12, N-13: without rules, a policy that is not built in is refused and leaves no trace', () => {
    const story = given(startUnder(DEFAULT_PROPOSAL_RULES), propose('seller', 'p1'));
    const [first, second] = envelopes(story) as [MacpEnvelope, MacpEnvelope];
    const projection = new ProposalProjection();
    expect(projection.apply(first)).toMatchObject({
      refusal: {
        code: 'UNKNOWN_POLICY_VERSION',
        details: { field: 'payload.policy_version', found: '"policy.test"' },
      },
    });
    expect(projection.transcript).toEqual([]);
    expect(projection.apply(second)).toMatchObject({ refusal: { code: 'SESSION_NOT_FOUND' } });
    const builtIn = { ...first, payload: { ...first.payload, policy_version: '' } };
    expect(projection.apply(builtIn)).toEqual({ ok: true, value: true });
  });

  it('N-9, N-12: a terminally rejected proposal does not converge, whoever accepts it', () => {
    const projection = project(
      ...open,
      accept('seller', 'p1'),
      accept('buyer', 'p1'),
      reject('seller', 'p1', true),
    );
    expect(projection.acceptedProposal()).toBe('p1');
    expect(projection.isConverged()).toBe(false);
  });

  it("N-4, N-12: the runtime's messages are in the transcript and change nothing else", () => {
    const projection = project(...open, control('suspend', 'buyer'), control('resume', 'buyer'));
    expect(projection.transcript.map(({ message_type }) => message_type).slice(2)).toEqual([
      'SessionSuspend',
      'SessionResume',
    ]);
    expect(projection.phase).toBe('Negotiating');
  });

  it('N-6, N-12: a redelivered envelope changes nothing', () => {
    const story = given(...open, accept('buyer', 'p1'));
    const twice = projectNegotiation([...envelopes(story), ...envelopes(story)]);
    expect(twice.ok && twice.value.transcript.length).toBe(3);
    expect(twice.ok && encodeNegotiation(twice.value.negotiation)).toEqual(
      encodeNegotiation(sessionOf(story).negotiation),
    );
  });

  it('N-12: an envelope that no runtime would have accepted is refused and leaves no trace', () => {
    const [first, second] = envelopes(given(...open));
    if (first === undefined || second === undefined) throw new Error('The story has two messages.');
    expect(projectNegotiation([second])).toMatchObject({ refusal: { code: 'SESSION_NOT_FOUND' } });
    const foreign = { ...second, message_id: 'other', session_id: 'abcdefghijklmnopqrstuvwxyz' };
    expect(projectNegotiation([first, foreign])).toMatchObject({ refusal: { code: 'SESSION_NOT_FOUND' } });
    expect(projectNegotiation([first, second, { ...foreign, message_id: second.message_id }])).toMatchObject({
      refusal: { code: 'SESSION_NOT_FOUND' },
    });
    const foreignStart = { ...first, session_id: foreign.session_id };
    expect(projectNegotiation([first, foreignStart])).toMatchObject({
      refusal: { code: 'SESSION_ALREADY_EXISTS' },
    });
    expect(projectNegotiation([first, { ...first, message_id: 'other' }])).toMatchObject({
      refusal: { code: 'SESSION_ALREADY_EXISTS' },
    });
    const malformed = { ...second, message_id: 'other', payload: { proposal_id: 7 } };
    expect(projectNegotiation([first, malformed])).toMatchObject({ refusal: { code: 'INVALID_ENVELOPE' } });
    const unknown = { ...second, message_id: 'other', message_type: 'Vote' };
    expect(projectNegotiation([first, unknown])).toMatchObject({ refusal: { code: 'INVALID_ENVELOPE' } });
  });
});
