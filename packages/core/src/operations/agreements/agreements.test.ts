import { describe, expect, it } from 'vitest';
import { PROPOSAL_MODE, QUORUM_MODE } from '../../negotiation/index.js';
import { judgeSpace } from '../judge/judge-space.js';
import { operationDigest } from '../proposal/decide-propose.js';
import { agreeInSpace } from '../space/decide-in-space.js';
import { entry, reviewed } from '../testing/reviewed.js';
import { announce, approve, message, propose, type World } from '../testing/world.js';
import type { AgreedCall, AgreedOutcome, SessionAgreement } from './agreement.js';
import { proposalAgreedOn } from './decide-agreed.js';

const WRITE = { name: 'write_file', arguments: { path: '/tmp/a', text: 'hello' } };
const DIGEST = operationDigest('tools/call', WRITE);
const BY = { modes: [PROPOSAL_MODE, QUORUM_MODE], policies: [] };
const NEW: AgreedCall = { space: 'main', method: 'tools/call', params: WRITE };
const P1: AgreedCall = { space: 'main', proposal: 'p1', digest: DIGEST };

function agree(call: AgreedCall, more: Partial<SessionAgreement> = {}): AgreedOutcome {
  const agreement: SessionAgreement = {
    session: 's1',
    mode: PROPOSAL_MODE,
    policy: 'policy.default',
    commitment: 'c1',
    commitmentHash: `sha256:${'1'.repeat(64)}`,
    sequence: 5,
    committedBy: 'cleo',
    at: 1_000_000,
    reason: 'all agreed',
    positive: true,
    about: 'o1',
    call: '2'.repeat(64),
    accepted: ['ann', 'bob'],
    rejected: [],
    abstained: [],
    ...more,
  };
  return { call, agreement };
}

function world(more: Parameters<typeof entry>[0] = {}): World {
  return reviewed([entry({ from: ['ann', 'bob'], by: BY, ...more })]);
}

const OWN = proposalAgreedOn(agree(NEW));

describe('a commitment that carries a call', () => {
  it('O-53: proposes it in the committer’s name, and runs it by what the others accepted', () => {
    const space = world();
    const decision = space.agree(agree(NEW));
    expect(space.types(decision)).toEqual(['proposed', 'agreed', 'approved', 'approved', 'fulfilled']);
    const proposal = space.proposal(OWN);
    expect(proposal).toMatchObject({
      proposer: 'cleo',
      phase: 'fulfilled',
      fulfilment: { by: 'bob', executor: 'tools', digest: DIGEST, session: 's1' },
      agreements: [{ session: 's1', commitment: 'c1', committedBy: 'cleo', isCounted: true }],
    });
    expect(space.records.at(-1)?.facts).toMatchObject({
      entry: 'writes',
      given: 2,
      needed: 2,
      session: 's1',
    });
  });

  it('O-53, I-2: the same commitment again runs nothing, before and after the answer', () => {
    const space = world();
    space.agree(agree(NEW));
    expect(space.agree(agree(NEW))).toMatchObject({ unchanged: 'duplicate' });
    const { request } = space.proposal(OWN).fulfilment ?? {};
    space.send(
      message('tools', 'a1', 'mcp.response.tools/call', { result: {} }, { correlationId: request ?? '' }),
    );
    expect(space.proposal(OWN).phase).toBe('settled');
    expect(space.agree(agree(NEW))).toMatchObject({ unchanged: 'duplicate' });
    expect(space.records.filter(({ type }) => type === 'fulfilled')).toHaveLength(1);
  });

  it('O-53: the committer’s own acceptance, and its other tokens, do not count', () => {
    const space = world();
    space.people.set('cleo', { subject: 'person' });
    space.people.set('bob', { subject: 'person' });
    expect(space.types(space.agree(agree(NEW)))).toEqual(['proposed', 'agreed', 'approved']);
    expect(space.records.findLast(({ type }) => type === 'agreed')?.envelope.payload).toMatchObject({
      notCounted: [{ by: 'bob', code: 'self_fulfilment' }],
    });
    expect(space.proposal(OWN)).toMatchObject({ phase: 'pending', agreements: [{ isCounted: true }] });
  });

  it('O-53: two tokens of one person are one approval', () => {
    const space = world();
    for (const name of ['ann', 'bob']) space.people.set(name, { subject: 'one person' });
    space.agree(agree(NEW));
    expect(space.proposal(OWN)).toMatchObject({ phase: 'pending', approvals: [{ by: 'ann' }] });
  });

  it('O-53: acceptances need the capability for the call, in this space', () => {
    const space = world();
    space.capabilities.set('bob', ['mcp.proposal.*']);
    space.capabilities.delete('ann');
    expect(space.types(space.agree(agree(NEW)))).toEqual(['proposed', 'agreed']);
    expect(space.proposal(OWN).phase).toBe('pending');
  });

  it('O-53, I-5: a committer who may not propose it here leaves no trace', () => {
    const space = world();
    const before = space.records.length;
    expect(space.agree(agree(NEW, { committedBy: 'stranger' })).refused?.code).toBe('forbidden_space');
    space.capabilities.set('cleo', ['chat.message']);
    expect(space.agree(agree(NEW)).refused?.code).toBe('capability_violation');
    expect(space.records).toHaveLength(before);
  });

  it('O-53: a removed participant neither commits nor accepts', () => {
    const space = world();
    space.capabilities.set('reviewer', ['*']);
    for (const [id, name] of [
      ['k1', 'bob'],
      ['k2', 'cleo'],
    ] as const) {
      space.capabilities.set(name, ['mcp.*']);
      space.send(message('reviewer', id, 'mcpx.kick.participant', { participant: name }));
    }
    expect(space.agree(agree(NEW)).refused?.code).toBe('kicked');
    space.agree(agree(NEW, { session: 's2', committedBy: 'other', accepted: ['bob'] }));
    expect(space.records.some(({ type }) => type === 'fulfilled')).toBe(false);
  });

  it('O-53: a negative outcome proposes nothing', () => {
    const space = world();
    expect(space.agree(agree(NEW, { positive: false })).appends).toBeUndefined();
  });

  it('O-53: without by, people still approve it: it waits for them', () => {
    const space = reviewed([entry({ from: ['ann', 'bob'] })]);
    expect(space.types(space.agree(agree(NEW)))).toEqual(['proposed', 'agreed']);
    space.send(approve('a1', OWN, { from: 'ann' }));
    space.send(approve('a2', OWN, { from: 'bob' }));
    expect(space.proposal(OWN).phase).toBe('fulfilled');
  });

  it('O-53: without any review entry it waits for somebody who may run it', () => {
    const space = reviewed([]);
    expect(space.types(space.agree(agree(NEW)))).toEqual(['proposed', 'agreed']);
  });

  it('O-53: a mode or policy that the entry does not name ends it, and says so', () => {
    for (const [by, more] of [
      [{ modes: [QUORUM_MODE], policies: [] }, {}],
      [{ modes: [PROPOSAL_MODE], policies: ['policy.strict'] }, {}],
    ] as const) {
      const space = world({ by });
      expect(space.types(space.agree(agree(NEW, more)))).toEqual(['proposed', 'agreed', 'declined']);
      expect(space.proposal(OWN).ending).toMatchObject({ why: 'session', session: 's1', by: 'cleo' });
    }
  });

  it('O-53: a call that cannot be proposed is recorded with the reason, and is over', () => {
    const space = world();
    space.configure({ maxPending: 0 });
    expect(space.types(space.agree(agree(NEW)))).toEqual(['proposed', 'declined']);
    expect(space.proposal(OWN)).toMatchObject({
      phase: 'declined',
      ending: { why: 'session', reason: expect.stringContaining('pending') },
    });
    space.configure({ maxPending: 10 });
    expect(space.agree(agree(NEW))).toMatchObject({ unchanged: 'duplicate' });
  });

  it('O-53, I-2: runs nothing again when retention has removed the proposal and not yet the session', () => {
    const { space, now } = world();
    const gone = { now, isPresent: () => true, isRemoved: (id: string) => id === OWN };
    expect(agreeInSpace(space, agree(NEW), gone)).toEqual({ unchanged: 'late' });
  });

  it('O-53: a commitment of more than a day ago runs nothing', () => {
    const space = world();
    space.now += 86_400_001;
    expect(space.types(space.agree(agree(NEW)))).toEqual(['proposed', 'declined']);
  });

  it('O-53: waits for the executor, and runs once when it is there', () => {
    const space = world();
    space.present.delete('tools');
    expect(space.types(space.agree(agree(NEW)))).toEqual(['proposed', 'agreed']);
    expect(space.types(space.review(OWN))).toEqual([]);
    space.present.add('tools');
    expect(space.types(space.review(OWN))).toEqual(['approved', 'approved', 'fulfilled']);
    expect(space.types(space.review(OWN))).toEqual([]);
  });

  it('O-53: what somebody rejects while it waits does not run', () => {
    const space = world();
    space.present.delete('tools');
    space.agree(agree(NEW));
    space.now += 1;
    space.send(message('bob', 'r1', 'mcpx.reject.proposal', { reason: 'unsafe' }, { correlationId: OWN }));
    space.present.add('tools');
    space.review(OWN);
    expect(space.records.some(({ type }) => type === 'fulfilled')).toBe(false);
  });

  it('O-53: nothing runs while approvals are paused', () => {
    const space = world();
    space.send(message('reviewer', 'x1', 'mcpx.pause.approvals', {}));
    expect(space.types(space.agree(agree(NEW)))).toEqual(['proposed', 'agreed']);
    space.send(message('reviewer', 'x2', 'mcpx.resume.approvals', {}));
    expect(space.types(space.review(OWN))).toEqual(['approved', 'approved', 'fulfilled']);
  });

  const pause = (id: string, name: string) =>
    message('reviewer', id, 'participant.pause', { reason: 'too fast' }, { to: [name] });

  it('O-53, O-54: what a paused participant accepted does not count, and its rejection does', () => {
    const space = world({ veto: true });
    space.send(pause('x1', 'bob'));
    expect(space.types(space.agree(agree(NEW)))).toEqual(['proposed', 'agreed', 'approved']);
    expect(space.records.findLast(({ type }) => type === 'agreed')?.envelope.payload).toMatchObject({
      notCounted: [{ by: 'bob', code: 'paused' }],
    });
    expect(space.proposal(OWN).phase).toBe('pending');
    space.agree(agree(NEW, { session: 's2', accepted: ['ann'], rejected: ['bob'] }));
    expect(space.proposal(proposalAgreedOn(agree(NEW, { session: 's2' }))).ending).toMatchObject({
      by: 'bob',
    });
  });

  it('O-53, O-54: what a paused participant commits is recorded with the reason, and over', () => {
    const space = world();
    space.send(pause('x1', 'cleo'));
    expect(space.types(space.agree(agree(NEW)))).toEqual(['proposed', 'declined']);
    expect(space.proposal(OWN).ending).toMatchObject({ reason: expect.stringContaining('too fast') });
    space.send(message('reviewer', 'x2', 'participant.resume', {}, { to: ['cleo'] }));
    expect(space.agree(agree(NEW))).toMatchObject({ unchanged: 'duplicate' });
  });

  it('O-53: only the gateway can use the id of such a proposal', () => {
    expect(OWN).toMatch(/^system:/);
  });
});

describe('a review entry with by', () => {
  it('O-53: refuses approvals that are not given in a session', () => {
    const space = world();
    const { refused } = space.send(approve('a1', 'p1', { from: 'ann' }));
    expect(refused).toMatchObject({ code: 'session_required', details: { modes: BY.modes } });
    expect(space.proposal('p1').review).toMatchObject({ by: BY.modes });
  });

  it('O-53: refuses a request without a proposal, even by one who could approve alone', () => {
    const space = world({ approvals: 1 });
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: WRITE };
    const { refused } = space.send(
      message('ann', 'f0', 'mcp.request.tools/call', request, { to: ['tools'] }),
    );
    expect(refused?.code).toBe('approval_required');
  });

  it('O-53: a committed session approves exactly this digest, once', () => {
    const space = world();
    expect(space.types(space.agree(agree(P1)))).toEqual(['agreed', 'approved', 'approved', 'fulfilled']);
    expect(space.agree(agree(P1))).toMatchObject({ unchanged: 'duplicate' });
    expect(space.agree(agree(P1, { session: 's2' })).unchanged).toBeDefined();
    expect(space.records.filter(({ type }) => type === 'fulfilled')).toHaveLength(1);
  });

  it('O-53: another digest, an unknown proposal and strangers leave no trace', () => {
    const space = world();
    const before = space.records.length;
    const codes = [
      agree({ ...P1, digest: 'f'.repeat(64) }),
      agree({ ...P1, proposal: 'p9' }),
      agree(P1, { committedBy: 'stranger' }),
      agree(P1, { accepted: ['cleo', 'stranger'], rejected: ['other'] }),
      agree(P1, { mode: 'macp.mode.decision.v1' }),
    ].map((outcome) => space.agree(outcome).refused?.code);
    expect(codes).toEqual([
      'digest_mismatch',
      'unknown_proposal',
      'forbidden_space',
      'not_approver',
      'no_agreement',
    ]);
    expect(space.records).toHaveLength(before);
  });

  it('O-53: two sessions add up, but one person counts once', () => {
    const space = world();
    space.agree(agree(P1, { accepted: ['ann'] }));
    space.agree(agree(P1, { session: 's2', accepted: ['ann'] }));
    expect(space.proposal('p1').phase).toBe('pending');
    space.agree(agree(P1, { session: 's3', accepted: ['bob'] }));
    expect(space.proposal('p1').phase).toBe('fulfilled');
  });

  it('O-53: the proposer’s acceptance does not count', () => {
    const space = world({ from: ['agent', 'ann'] });
    space.capabilities.set('agent', ['*']);
    space.agree(agree(P1, { accepted: ['agent', 'ann'] }));
    expect(space.proposal('p1')).toMatchObject({ phase: 'pending', approvals: [{ by: 'ann' }] });
  });

  it('O-53: a negative outcome declines it, with the reason, when too few are left', () => {
    const space = world();
    const outcome = agree(P1, { positive: false, accepted: ['ann'], rejected: ['bob'], reason: 'too dear' });
    expect(space.types(space.agree(outcome))).toEqual(['agreed', 'rejected', 'declined']);
    expect(space.proposal('p1')).toMatchObject({ phase: 'declined', ending: { by: 'bob' } });
    const other = world();
    other.agree(agree(P1, { positive: false, accepted: ['ann'], abstained: ['bob'], reason: 'too dear' }));
    expect(other.proposal('p1').ending).toEqual({
      why: 'session',
      session: 's1',
      by: 'cleo',
      reason: 'too dear',
    });
  });

  it('O-53: a negative outcome of a few does not decide for the rest', () => {
    const space = world({ from: ['ann', 'bob', 'reviewer'] });
    space.agree(agree(P1, { positive: false, accepted: [], rejected: ['bob'] }));
    expect(space.proposal('p1')).toMatchObject({ phase: 'pending', rejections: expect.anything() });
    space.agree(agree(P1, { session: 's2', accepted: ['ann', 'reviewer'] }));
    expect(space.proposal('p1').phase).toBe('fulfilled');
  });

  it('O-53: with veto, one rejection in the session is enough, whatever its outcome', () => {
    const space = world({ from: ['ann', 'bob', 'reviewer'], veto: true });
    space.agree(agree(P1, { accepted: ['ann', 'bob'], rejected: ['reviewer'] }));
    expect(space.proposal('p1')).toMatchObject({
      phase: 'declined',
      ending: { why: 'veto', by: 'reviewer' },
    });
  });

  it('O-53: a session about a proposal that expired is late', () => {
    const space = world();
    space.send(propose('p2', { ttl: 1_000 }));
    space.now += 2_000;
    space.agree(agree({ ...P1, proposal: 'p2' }, { at: space.now }));
    expect(space.proposal('p2').phase).toBe('expired');
  });

  it('O-53: nobody new runs the tool by an agreement alone', () => {
    const space = world();
    space.agree(agree(P1));
    space.send(
      message(
        'tools',
        'r1',
        'mcp.response.tools/call',
        { result: {} },
        {
          correlationId: space.proposal('p1').fulfilment?.request ?? '',
        },
      ),
    );
    space.present.delete('tools');
    space.now += 1;
    space.send(announce('n2', 'other', ['write_file']));
    space.agree(agree(NEW));
    expect(space.proposal(OWN)).toMatchObject({ phase: 'pending', agreements: [{ isCounted: false }] });
  });
});

describe('deciding again', () => {
  const rules = (space: World) => ({
    settings: space.space.settings,
    participants: Object.fromEntries(
      [...space.capabilities, ['agent', ['*']], ['tools', ['*']]].map(([name, capabilities]) => [
        name,
        { capabilities, isConfigured: true as const },
      ]),
    ),
  });

  /** What is wrong with the records of a space, if its sessions decided this. */
  function wrongIn(space: World, decided: readonly AgreedOutcome[]): readonly string[] {
    const agreedIn = (session: string) => decided.find(({ agreement }) => agreement.session === session);
    const judge = judgeSpace({ name: 'main', agreedIn });
    judge.follow(rules(space), 0);
    return space.records.flatMap((record, at) => {
      const next = space.records[at + 1];
      const after = next?.stream === record.stream ? next : undefined;
      const wrong = judge.judge(record, after);
      return wrong === undefined ? [] : [`${record.type}: ${wrong.what}`];
    });
  }

  it('O-53, I-11: holds what sessions decided, and finds what none did', () => {
    const outcomes = [agree(NEW), agree(P1, { session: 's2' })];
    const space = world();
    for (const outcome of outcomes) space.agree(outcome);
    expect(wrongIn(space, outcomes)).toEqual([]);
    expect(wrongIn(space, [])).toContain('agreed: unfounded');
    const others = outcomes.map(({ call, agreement }) => ({
      call,
      agreement: { ...agreement, accepted: ['ann'] },
    }));
    expect(wrongIn(space, others)).toContain('agreed: unfounded');
  });

  it('O-53, I-11: concludes nothing from a session that retention removed', () => {
    const space = world();
    space.agree(agree(NEW));
    const judge = judgeSpace({ name: 'main', agreedIn: () => 'removed' });
    judge.follow(rules(space), 0);
    const found = space.records.map((record, at) => judge.judge(record, space.records[at + 1]));
    expect(found.filter((wrong) => wrong !== undefined)).toEqual([]);
  });

  it('O-53, I-11: holds rejections, endings, and what waited for its executor', () => {
    const no = agree(P1, { positive: false, accepted: ['ann'], rejected: ['bob'] });
    const rejected = world();
    rejected.agree(no);
    expect(wrongIn(rejected, [no])).toEqual([]);
    const yes = agree(NEW);
    const waited = world();
    waited.present.delete('tools');
    waited.agree(yes);
    waited.now += 5;
    waited.present.add('tools');
    waited.review(OWN);
    expect(waited.proposal(OWN).phase).toBe('fulfilled');
    expect(wrongIn(waited, [yes])).toEqual([]);
  });
});
