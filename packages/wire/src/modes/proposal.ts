import {
  AcceptPayloadSchema,
  CounterProposalPayloadSchema,
  file_macp_modes_proposal_v1_proposal,
  ProposalPayloadSchema,
  RejectPayloadSchema,
  WithdrawPayloadSchema,
} from '../gen/macp/modes/proposal/v1/proposal_pb.js';
import type { ModeMessages } from './mode-messages.js';

/** The messages of Proposal Mode. */
export const proposalMessages: ModeMessages = {
  file: file_macp_modes_proposal_v1_proposal,
  payloads: {
    Proposal: ProposalPayloadSchema,
    CounterProposal: CounterProposalPayloadSchema,
    Accept: AcceptPayloadSchema,
    Reject: RejectPayloadSchema,
    Withdraw: WithdrawPayloadSchema,
  },
};
