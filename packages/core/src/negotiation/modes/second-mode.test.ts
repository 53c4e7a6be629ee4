import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../json/canonical.js';
import type { JsonObject } from '../../json/json.js';
import { listPolicies, lookUpIn, type PolicyRegistry, policyRegistry } from '../policy/registry.js';
import { SessionProjection } from '../projection/session-projection.js';
import { sessionDecider } from '../session/decide.js';
import { describeMessage } from '../session/describe-message.js';
import { encodeSession } from '../session/encode.js';
import { explainEligibility } from '../session/explain.js';
import type { SessionState } from '../session/session.js';
import { decodeSessions } from '../snapshot/decode-sessions.js';
import { encodeSessions } from '../snapshot/encode-sessions.js';
import { given, type Story } from '../testing/given.js';
import { accept, commit, propose, type Step, send, start } from '../testing/steps.js';
import { serveVotes, VOTE_MODE, voteMode } from '../testing/vote-mode.js';
import { createModes } from './create-modes.js';
import { proposalMode } from './proposal/mode.js';
import { PROPOSAL_MODE } from './proposal/name.js';
import { ProposalProjection } from './proposal/projection.js';

let stop: () => void;
beforeAll(() => {
  stop = serveVotes();
});
afterAll(() => stop());

/** The same step in a session of the second mode. */
const inVotes = (step: Step): Step => ({
  ...step,
  command(id) {
    const command = step.command(id);
    if (command.type !== 'send') return command;
    return { ...command, envelope: { ...command.envelope, mode: VOTE_MODE } };
  },
});
const startVote = (): Step => inVotes(start());
/** The same type as a message of Proposal Mode. */
const vote = (sender: string, choice: string, weight = 1): Step =>
  inVotes(send(sender, 'Accept', { choice, weight }));

const replay = ({ records }: Story): SessionState => records.reduce(sessionDecider.evolve, undefined);
const encode = (state: SessionState): string => canonicalJson(encodeSession(state));

function register(mode: string, rules: JsonObject): PolicyRegistry {
  const descriptor = { policy_id: 'policy.ours', mode, rules: JSON.stringify(rules), schema_version: 1 };
  const { initial, decide, evolve } = policyRegistry;
  const { records = [] } = decide(
    initial,
    { type: 'register', principal: 'operator', descriptor },
    { now: 1 },
  );
  return records.reduce(evolve, initial);
}

describe('a second mode whose message has the name of another', () => {
  it('N-12: a message is read by the mode of its session', () => {
    const votes = given(startVote());
    expect(votes.when(vote('seller', 'soup', 3)).result).toBe('accepted');
    expect(votes.when(vote('seller', 'soup', 12)).decision.refused?.details).toMatchObject({
      field: 'payload.weight',
    });
    expect(votes.when(inVotes(propose('seller', 'p1'))).decision.refused?.message).toContain(
      'message_type is "Proposal"; expected Accept, Abstain or Commitment.',
    );
    const offers = given(start(), propose('seller', 'p1'));
    expect(offers.when(accept('buyer', 'p1')).result).toBe('accepted');
    expect(offers.when(send('buyer', 'Accept', { choice: 'soup' })).result).toBe('INVALID_ENVELOPE');
  });

  it('I-3: comes to the same state from its records, and from a snapshot', () => {
    const story = given(startVote(), vote('buyer', 'soup'), vote('seller', 'bread', 2));
    expect(encode(replay(story))).toBe(encode(story.state));
    const decode = decodeSessions();
    const parts = [...encodeSessions(story.state === undefined ? [] : [story.state])];
    const restored = parts.map(decode).find((session) => session !== undefined);
    expect(encode(restored)).toBe(encode(story.state));
  });

  it('N-10: its own rules say when it can be committed, and a commitment ends it', () => {
    const early = given(startVote(), vote('buyer', 'soup'));
    expect(early.when(inVotes(commit('buyer'))).decision.refused?.message).toContain(
      '1 of 2 votes are cast.',
    );
    const ready = early.when(vote('seller', 'soup'));
    if (ready.state === undefined) throw new Error('The session was started.');
    expect(explainEligibility(ready.state, ready.now).outcomes).toEqual(['positive', 'negative']);
    expect(explainEligibility(ready.state, ready.now, 'seller').outcomes).toEqual([]);
    expect(ready.when(inVotes(commit('buyer'))).state).toMatchObject({ status: 'RESOLVED' });
  });

  it('N-13: has its own rules and default policy; a policy is for the sessions of its mode', () => {
    const lookUp = lookUpIn(policyRegistry.initial, 'rfc-0008');
    expect(lookUp('', VOTE_MODE)).toMatchObject({ id: 'policy.default', rules: { quorum: { votes: 2 } } });
    expect(lookUp('', PROPOSAL_MODE)?.id).toBe('policy.rfc-0008');
    expect(lookUp('policy.guide', VOTE_MODE)).toEqual({ id: 'policy.guide' });
    const ours = lookUpIn(register(VOTE_MODE, { quorum: { votes: 1 } }));
    expect(ours('policy.ours', VOTE_MODE)?.rules).toMatchObject({ quorum: { votes: 1 } });
    expect(ours('policy.ours', PROPOSAL_MODE)).toEqual({ id: 'policy.ours' });
    expect(register(VOTE_MODE, { acceptance: {} }).available.size).toBe(0);
    expect(
      listPolicies(policyRegistry.initial).map(({ mode, policy_id }) => [mode, policy_id]),
    ).toContainEqual([VOTE_MODE, 'policy.default']);
  });

  it('N-13: a policy for every mode is read by the mode of the session, if it can', () => {
    const common = lookUpIn(register('*', { commitment: { authority: 'any_participant' } }));
    expect(common('policy.ours', VOTE_MODE)?.rules).toEqual({
      quorum: { votes: 2 },
      commitment: { authority: 'any_participant', designated_roles: [] },
    });
    expect(common('policy.ours', PROPOSAL_MODE)?.rules).toMatchObject({ acceptance: {} });
    const special = lookUpIn(register('*', { quorum: { votes: 3 } }));
    expect(special('policy.ours', VOTE_MODE)?.rules).toMatchObject({ quorum: { votes: 3 } });
    expect(special('policy.ours', PROPOSAL_MODE)).toEqual({ id: 'policy.ours' });
  });

  it('N-12: is followed by a projection, and told by its types and fields', () => {
    const { records, state } = given(startVote(), vote('seller', 'soup', 3));
    const projection = new SessionProjection();
    for (const { envelope } of records) expect(projection.apply(envelope)).toEqual({ ok: true, value: true });
    expect(projection.encodeState()).toEqual(voteMode.encode(state?.negotiation as typeof voteMode.initial));
    expect(projection.transcript.map(describeMessage)).toMatchObject([
      { by: 'buyer', verb: 'starts', said: 'agree on terms' },
      { by: 'seller', verb: 'sends', about: 'Accept', said: 'choice: soup, weight: 3' },
    ]);
    const [first] = records;
    if (first === undefined) throw new Error('The session was started.');
    expect(new ProposalProjection().apply(first.envelope)).toMatchObject({
      refusal: { code: 'MODE_NOT_SUPPORTED' },
    });
  });

  it('cannot be listed twice, nor redefine what means the same in every mode', () => {
    expect(() => createModes([voteMode, voteMode])).toThrow('Duplicate mode macp.mode.vote.v1.');
    const { Accept: Commitment } = voteMode.readers;
    expect(() => createModes([{ ...proposalMode, readers: { Commitment } }])).toThrow(
      'a Commitment of its own',
    );
  });
});
