import { id } from '../../wire/identifiers.js';
import type { PayloadReaders } from '../../wire/payloads.js';
import { bytes, flag, listOf, messageOf, text } from '../../wire/readers.js';

/** An offer. */
export type ProposalPayload = {
  readonly proposal_id: string;
  readonly title: string;
  readonly summary: string;
  /** Base64. */
  readonly details: string;
  readonly tags: readonly string[];
};

/** An offer that replaces another. */
export type CounterProposalPayload = {
  readonly proposal_id: string;
  readonly supersedes_proposal_id: string;
  readonly title: string;
  readonly summary: string;
  /** Base64. */
  readonly details: string;
};

/** A sender's acceptance of a live proposal. */
export type AcceptPayload = { readonly proposal_id: string; readonly reason: string };

/** A sender's rejection of a live proposal; a terminal one means no further negotiation. */
export type RejectPayload = {
  readonly proposal_id: string;
  readonly terminal: boolean;
  readonly reason: string;
};

/** A live proposal is withdrawn. */
export type WithdrawPayload = { readonly proposal_id: string; readonly reason: string };

/** The payload of each message that only Proposal Mode has. */
export type ProposalModePayloads = {
  readonly Proposal: ProposalPayload;
  readonly CounterProposal: CounterProposalPayload;
  readonly Accept: AcceptPayload;
  readonly Reject: RejectPayload;
  readonly Withdraw: WithdrawPayload;
};

/** Their readers. */
export const PROPOSAL_READERS: PayloadReaders<ProposalModePayloads> = {
  Proposal: messageOf<ProposalPayload>({
    proposal_id: id,
    title: text,
    summary: text,
    details: bytes,
    tags: listOf(text),
  }),
  CounterProposal: messageOf<CounterProposalPayload>({
    proposal_id: id,
    supersedes_proposal_id: id,
    title: text,
    summary: text,
    details: bytes,
  }),
  Accept: messageOf<AcceptPayload>({ proposal_id: id, reason: text }),
  Reject: messageOf<RejectPayload>({ proposal_id: id, terminal: flag, reason: text }),
  Withdraw: messageOf<WithdrawPayload>({ proposal_id: id, reason: text }),
};
