import type { Decision } from '../../decision.js';
import type { Envelope } from '../../envelope/envelope.js';
import type { ProposalContext } from '../context.js';
import { decideAccept } from '../counter/decide-accept.js';
import { decideCounter } from '../counter/decide-counter.js';
import { decideDelegate } from '../delegation/decide-delegate.js';
import { runIfGranted } from '../grants/run-if-granted.js';
import type { ProposalRecord } from '../records.js';
import { countApproval } from '../review/count-approval.js';
import { decideApprove } from '../review/decide-approve.js';
import type { MessageCommand } from '../routing/route.js';
import { decideAnswer } from './decide-answer.js';
import { decidePropose } from './decide-propose.js';
import {
  decideReject,
  decideRenew,
  decideStatus,
  decideWithdraw,
  refuseUnknownProposal,
} from './decide-remark.js';
import type { Proposal } from './proposal.js';

/** What a message about a proposal does. */
interface CommandEntry {
  readonly decide: (
    proposal: Proposal | undefined,
    envelope: Envelope,
    context: ProposalContext,
  ) => Decision<ProposalRecord>;
  /**
   * True if it can make a call run: refused while approvals are paused, and counted against what agents
   * may approve alone.
   */
  readonly approves: boolean;
}

/** Whether a message can make a call run. Taking an approval back cannot. */
export function canApprove(command: MessageCommand, { payload }: Envelope): boolean {
  return PROPOSAL_COMMANDS[command].approves && payload['revoke'] !== true;
}

/** Every command about one proposal. */
export const PROPOSAL_COMMANDS: Readonly<Record<MessageCommand, CommandEntry>> = {
  propose: {
    decide: (proposal, envelope, context) =>
      runIfGranted(decidePropose(proposal, envelope, context), context),
    approves: false,
  },
  approve: { decide: decideApprove, approves: true },
  delegate: { decide: decideDelegate, approves: false },
  counter: { decide: decideCounter, approves: false },
  accept: { decide: decideAccept, approves: true },
  fulfil: { decide: decideFulfilment, approves: true },
  answer: { decide: decideAnswer, approves: false },
  renew: { decide: decideRenew, approves: false },
  withdraw: { decide: decideWithdraw, approves: false },
  reject: { decide: decideReject, approves: false },
  status: { decide: decideStatus, approves: false },
};

/**
 * A request that fulfils a proposal (O-11). The first one wins (O-12); the proposer needs the space's
 * permission (O-24); while the proposal is reserved only the preferred may (O-20); changed params are
 * recorded next to the proposed ones (O-13, O-25). Capabilities were checked before, for this very
 * request, so an amended call needs the capability for what it has become.
 */
function decideFulfilment(
  proposal: Proposal | undefined,
  envelope: Envelope,
  context: ProposalContext,
): Decision<ProposalRecord> {
  if (proposal === undefined) return { refused: refuseUnknownProposal(envelope) };
  return countApproval(proposal, { envelope, request: envelope }, context);
}
