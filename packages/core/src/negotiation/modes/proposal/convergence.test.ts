import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { given, type Story, sessionOf } from '../../testing/given.js';
import { history } from '../../testing/histories.js';
import { accept, commit, propose, startUnder } from '../../testing/steps.js';
import { candidates, convergedProposal, countMissing, findMissing } from './convergence.js';
import { isTerminal } from './negotiation.js';
import { DEFAULT_PROPOSAL_RULES } from './policies.js';
import type { ProposalMessage } from './projection.js';
import type { ProposalTerms } from './rules.js';

const RUNS = 300 * (process.env['PROFFER_LONG'] === undefined ? 1 : 10);

/** The rules of the table and N-9 again, written naively, recomputing everything. */
function readAgain({ records }: Story, { rules, participants, initiator }: ProposalTerms) {
  const proposers = new Map<string, string>();
  const live = new Set<string>();
  const accepts = new Map<string, string>();
  const rejections: { readonly sender: string; readonly id: string; readonly terminal: boolean }[] = [];
  const withdraw = (id: string) => {
    live.delete(id);
    for (const [sender, accepted] of accepts) if (accepted === id) accepts.delete(sender);
  };
  for (const { envelope } of records) {
    const { sender, message_type, payload } = envelope as ProposalMessage;
    switch (message_type) {
      case 'Proposal':
      case 'CounterProposal':
        proposers.set(payload.proposal_id, sender);
        live.add(payload.proposal_id);
        if (message_type === 'CounterProposal' && rules.counter_proposal.retires_original) {
          withdraw(payload.supersedes_proposal_id);
        }
        break;
      case 'Accept':
        accepts.set(sender, payload.proposal_id);
        break;
      case 'Reject': {
        const terminal = isTerminal({ rules, participants, initiator }, sender, payload);
        rejections.push({ sender, id: payload.proposal_id, terminal });
        break;
      }
      case 'Withdraw':
        withdraw(payload.proposal_id);
        break;
      default:
    }
  }

  const required = (id: string): readonly string[] => {
    const { criterion } = rules.acceptance;
    if (criterion === 'initiator') return [initiator];
    const isEverybody = criterion === 'all_parties' || participants.size === 1;
    return [...participants].filter((name) => isEverybody || name !== proposers.get(id));
  };
  const wanted = new Set(accepts.size > 0 ? accepts.values() : live);
  const impliedBy = (name: string, id: string) =>
    rules.acceptance.commitment_accepts &&
    wanted.size === 1 &&
    wanted.has(id) &&
    !accepts.has(name) &&
    !rejections.some((rejection) => rejection.sender === name && rejection.id === id);
  const missing = (id: string, committer: string) =>
    required(id).filter((name) => accepts.get(name) !== id && !(name === committer && impliedBy(name, id)));
  const vetoed = new Set(rejections.filter(({ terminal }) => terminal).map(({ id }) => id));
  const converged = (committer: string) =>
    [...wanted].filter(
      (id) =>
        (accepts.size > 0 || wanted.size === 1) && !vetoed.has(id) && missing(id, committer).length === 0,
    );
  const terminal = rejections.some((rejection) => rejection.terminal && live.has(rejection.id));
  return { live, accepts, missing, converged, terminal };
}

describe('convergence', () => {
  it('N-9: if a policy lets several converge, the first by id counts, not the first accepted', () => {
    const acceptance = { criterion: 'counterparty', commitment_accepts: false } as const;
    const { negotiation, terms } = sessionOf(
      given(
        startUnder({ ...DEFAULT_PROPOSAL_RULES, acceptance }),
        propose('seller', 'p2'),
        propose('buyer', 'p1'),
        accept('buyer', 'p2'),
        accept('seller', 'p1'),
      ),
    );
    expect(candidates(negotiation)).toEqual(['p2', 'p1']);
    expect(convergedProposal(negotiation, terms, 'buyer')).toBe('p1');
  });

  it('N-9: a proposal without acceptances does not converge, even if the only participant has no counterparty', () => {
    const acceptance = { criterion: 'counterparty', commitment_accepts: true } as const;
    const rules = { ...DEFAULT_PROPOSAL_RULES, acceptance };
    const alone = given(startUnder(rules, { participants: ['seller'] }), propose('seller', 'p1'));
    expect(alone.when(commit('buyer', { policy_version: 'policy.test' })).result).toBe('INVALID_ENVELOPE');
    const { negotiation, terms } = sessionOf(alone);
    expect(convergedProposal(negotiation, terms, 'buyer')).toBeUndefined();
    expect(findMissing(negotiation, terms, 'p1', 'buyer')).toEqual(['seller']);
    const accepted = alone.when(accept('seller', 'p1'));
    expect(accepted.when(commit('buyer', { policy_version: 'policy.test' })).result).toBe('accepted');
  });

  it('N-9, N-12: incremental counting equals recomputing everything', () => {
    fc.assert(
      fc.property(history, ({ rules, participants, attempts }) => {
        let story: Story = given(startUnder(rules, { participants }));
        for (const step of attempts) {
          story = story.when(step);
          const { negotiation, terms } = sessionOf(story);
          const { live, accepts, missing, converged, terminal } = readAgain(story, terms);
          expect(new Set(negotiation.live.keys())).toEqual(live);
          expect(negotiation.terminalRejections.size > 0).toBe(terminal);
          const counts = [...negotiation.acceptances.values()];
          expect(counts.reduce((sum, count) => sum + count, 0)).toBe(accepts.size);
          for (const committer of ['buyer', 'seller', 'notary']) {
            expect(convergedProposal(negotiation, terms, committer)).toBe(converged(committer).sort()[0]);
            for (const id of candidates(negotiation)) {
              expect(findMissing(negotiation, terms, id, committer)).toEqual(missing(id, committer));
              expect(countMissing(negotiation, terms, id, committer)).toBe(missing(id, committer).length);
            }
          }
        }
      }),
      { numRuns: RUNS },
    );
  });
});
