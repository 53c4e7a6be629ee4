import { VersionedMap } from '../../../collections/versioned-map.js';
import { throwUnsupported } from '../../../record/record.js';
import type { MacpEnvelope } from '../../wire/macp-envelope.js';
import type { CommitmentPayload } from '../../wire/payloads.js';
import type { ModeMessage } from '../mode.js';
import { pairKey } from '../pair-key.js';
import type { ProposalModePayloads, RejectPayload } from './payloads.js';
import type { ProposalTerms } from './rules.js';

/** The phase of a negotiation. */
export type NegotiationPhase = 'Negotiating' | 'TerminalRejected' | 'Committed';

/**
 * The state of the negotiation: the result of the accepted messages, and no more than the rules need.
 * The session's decider and the projection fold the same function over the same messages, so they
 * cannot disagree (N-12). Every step costs the same, however long the session is (I-8).
 */
export interface Negotiation {
  /** The proposer of every proposal ever made, by its id. */
  readonly proposers: VersionedMap<string>;
  /** The proposals that are not withdrawn. */
  readonly live: VersionedMap<true>;
  /** The latest proposal that each sender accepted; it counts only while it is live. */
  readonly latestAccepts: VersionedMap<string>;
  /** How many senders accept each live proposal; those without acceptances are left out. */
  readonly acceptances: VersionedMap<number>;
  /** Who rejected what, by {@link pairKey} of sender and proposal. */
  readonly rejections: VersionedMap<true>;
  /**
   * The terminally rejected live proposals, with the first rejecter. Only withdrawing the proposal
   * undoes that; an Accept, even by the same sender, does not.
   */
  readonly terminalRejections: VersionedMap<string>;
  readonly counterProposals: number;
  /** The outcome; there is never a second one (I-2). */
  readonly commitment?: { readonly by: string; readonly payload: CommitmentPayload } | undefined;
}

/** The messages of the mode, as opposed to those of the session. */
export type ModeEnvelope = ModeMessage<ProposalModePayloads>;

/** A negotiation without messages. */
export const NOTHING_SAID: Negotiation = {
  proposers: VersionedMap.empty(),
  live: VersionedMap.empty(),
  latestAccepts: VersionedMap.empty(),
  acceptances: VersionedMap.empty(),
  rejections: VersionedMap.empty(),
  terminalRejections: VersionedMap.empty(),
  counterProposals: 0,
};

/**
 * The negotiation after one more accepted message. Whether it may be accepted is decided before
 * ({@link checkMessage}); here, an Accept or Reject of something that is not live simply changes
 * nothing.
 *
 * @throws Error for an unknown message type
 */
export function applyMessage(
  negotiation: Negotiation,
  terms: ProposalTerms,
  envelope: ModeEnvelope,
): Negotiation {
  const { sender } = envelope;
  switch (envelope.message_type) {
    case 'Proposal':
      return propose(negotiation, envelope.payload.proposal_id, sender);
    case 'CounterProposal': {
      const { proposal_id, supersedes_proposal_id } = envelope.payload;
      const proposed = propose(negotiation, proposal_id, sender);
      const countered = changed(proposed, { counterProposals: proposed.counterProposals + 1 });
      return terms.rules.counter_proposal.retires_original
        ? retire(countered, supersedes_proposal_id)
        : countered;
    }
    case 'Accept':
      return accept(negotiation, envelope.payload.proposal_id, sender);
    case 'Reject':
      return reject(negotiation, terms, sender, envelope.payload);
    case 'Withdraw':
      return retire(negotiation, envelope.payload.proposal_id);
    case 'Commitment':
      return changed(negotiation, { commitment: { by: sender, payload: envelope.payload } });
    default:
      return throwUnsupported('message', (envelope satisfies never as MacpEnvelope).message_type);
  }
}

/** The phase of the negotiation; a terminal rejection lasts until its proposal is withdrawn. */
export function phaseOf(negotiation: Negotiation): NegotiationPhase {
  if (negotiation.commitment !== undefined) return 'Committed';
  return negotiation.terminalRejections.size > 0 ? 'TerminalRejected' : 'Negotiating';
}

/** The live proposal that a sender accepted last; `undefined` if it was withdrawn since. */
export function acceptedBy(negotiation: Negotiation, sender: string): string | undefined {
  const proposalId = negotiation.latestAccepts.get(sender);
  return proposalId !== undefined && negotiation.live.has(proposalId) ? proposalId : undefined;
}

/** The one proposal on which all acceptances agree, if there is one. */
export function agreedProposal(negotiation: Negotiation): string | undefined {
  return onlyKey(negotiation.acceptances);
}

/** The only live proposal, if there is exactly one. */
export function onlyLiveProposal(negotiation: Negotiation): string | undefined {
  return onlyKey(negotiation.live);
}

/** Whether this Reject ends the negotiation: by its own flag, or by the policy. */
export function isTerminal(
  { rules, initiator }: ProposalTerms,
  sender: string,
  payload: RejectPayload,
): boolean {
  const { authority, terminal_on_any_reject } = rules.rejection;
  const mayEnd = authority === 'any_participant' || sender === initiator;
  return mayEnd && (payload.terminal || terminal_on_any_reject);
}

/** Whether a sender has rejected a proposal. */
export function hasRejected(negotiation: Negotiation, sender: string, proposalId: string): boolean {
  return negotiation.rejections.has(pairKey(sender, proposalId));
}

function propose(negotiation: Negotiation, proposalId: string, proposer: string): Negotiation {
  return changed(negotiation, {
    proposers: negotiation.proposers.set(proposalId, proposer),
    live: negotiation.live.set(proposalId, true),
  });
}

function accept(negotiation: Negotiation, proposalId: string, sender: string): Negotiation {
  const earlier = acceptedBy(negotiation, sender);
  if (earlier === proposalId || !negotiation.live.has(proposalId)) return negotiation;
  let { acceptances } = negotiation;
  if (earlier !== undefined) acceptances = changeCount(acceptances, earlier, -1);
  return changed(negotiation, {
    latestAccepts: negotiation.latestAccepts.set(sender, proposalId),
    acceptances: changeCount(acceptances, proposalId, 1),
  });
}

function reject(
  negotiation: Negotiation,
  terms: ProposalTerms,
  sender: string,
  payload: RejectPayload,
): Negotiation {
  const { proposal_id } = payload;
  const { live, terminalRejections } = negotiation;
  if (!live.has(proposal_id)) return negotiation;
  const ends = isTerminal(terms, sender, payload) && !terminalRejections.has(proposal_id);
  return changed(negotiation, {
    rejections: negotiation.rejections.set(pairKey(sender, proposal_id), true),
    terminalRejections: ends ? terminalRejections.set(proposal_id, sender) : terminalRejections,
  });
}

/** Withdraws a proposal, with its acceptances and its terminal rejection. */
function retire(negotiation: Negotiation, proposalId: string): Negotiation {
  return changed(negotiation, {
    live: negotiation.live.delete(proposalId),
    acceptances: negotiation.acceptances.delete(proposalId),
    terminalRejections: negotiation.terminalRejections.delete(proposalId),
  });
}

/** Field by field: engines take many times as long to add to a copy, and this is done for every message. */
function changed(before: Negotiation, changes: Partial<Negotiation>): Negotiation {
  return {
    proposers: changes.proposers ?? before.proposers,
    live: changes.live ?? before.live,
    latestAccepts: changes.latestAccepts ?? before.latestAccepts,
    acceptances: changes.acceptances ?? before.acceptances,
    rejections: changes.rejections ?? before.rejections,
    terminalRejections: changes.terminalRejections ?? before.terminalRejections,
    counterProposals: changes.counterProposals ?? before.counterProposals,
    commitment: changes.commitment ?? before.commitment,
  };
}

function changeCount(counts: VersionedMap<number>, key: string, by: number): VersionedMap<number> {
  const count = (counts.get(key) ?? 0) + by;
  return count === 0 ? counts.delete(key) : counts.set(key, count);
}

function onlyKey(map: VersionedMap<true> | VersionedMap<number>): string | undefined {
  if (map.size !== 1) return undefined;
  const [key] = map.keys();
  return key;
}
