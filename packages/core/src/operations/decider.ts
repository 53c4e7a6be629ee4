import type { Decider } from '../decision.js';
import type { ProposalContext } from './context.js';
import { decideProposal, type ProposalCommand } from './proposal/decide-proposal.js';
import { evolveProposal } from './proposal/evolve-proposal.js';
import type { Proposal } from './proposal/proposal.js';
import type { ProposalRecord } from './records.js';

/** One proposal and everything that refers to it, as a decider. An empty stream has no proposal. */
export const proposalDecider: Decider<
  Proposal | undefined,
  ProposalCommand,
  ProposalRecord,
  ProposalContext
> = {
  initial: undefined,
  decide: decideProposal,
  evolve: evolveProposal,
};
