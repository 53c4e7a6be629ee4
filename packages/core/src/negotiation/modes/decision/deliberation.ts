import { VersionedMap } from '../../../collections/versioned-map.js';
import { throwUnsupported } from '../../../record/record.js';
import type { MacpEnvelope } from '../../wire/macp-envelope.js';
import type { CommitmentPayload } from '../../wire/payloads.js';
import type { ModeMessage } from '../mode.js';
import { pairKey } from '../pair-key.js';
import type {
  DecisionModePayloads,
  EvaluationPayload,
  ObjectionPayload,
  Vote,
  VotePayload,
} from './payloads.js';

/** The phase of a decision: the first option opens the evaluation, the first vote closes it. */
export type DecisionPhase = 'Proposal' | 'Evaluation' | 'Voting' | 'Committed';

/** How one voter voted, over all options. */
export type Ballots = {
  readonly approvals: number;
  readonly rejections: number;
  readonly abstentions: number;
};

/**
 * The state of a decision: the result of the accepted messages, and no more than the rules need. Every
 * step costs the same, however long the session is (I-8).
 */
export interface Deliberation {
  /** Who proposed each option, by its id. */
  readonly proposers: VersionedMap<string>;
  /** Who voted how on what, by {@link pairKey} of voter and option. */
  readonly votes: VersionedMap<Vote>;
  /** Everyone who voted, even if only to abstain. */
  readonly voters: VersionedMap<Ballots>;
  /** The sums of {@link voters}. */
  readonly approvals: number;
  readonly rejections: number;
  /** How many voters approve of at least one option. */
  readonly approvers: number;
  /** How many critical objections each objector raised. */
  readonly criticalObjections: VersionedMap<number>;
  /** The highest confidence of an evaluation that takes a position; undefined without any. */
  readonly confidence?: number | undefined;
  /** The outcome; there is never a second one (I-2). */
  readonly commitment?: { readonly by: string; readonly payload: CommitmentPayload } | undefined;
}

/** The messages of the mode, as opposed to those of the session. */
export type DecisionEnvelope = ModeMessage<DecisionModePayloads>;

/** A decision without messages. */
export const NOTHING_PROPOSED: Deliberation = {
  proposers: VersionedMap.empty(),
  votes: VersionedMap.empty(),
  voters: VersionedMap.empty(),
  approvals: 0,
  rejections: 0,
  approvers: 0,
  criticalObjections: VersionedMap.empty(),
};

const NO_BALLOTS: Ballots = { approvals: 0, rejections: 0, abstentions: 0 };

/**
 * The decision after one more accepted message. Whether it may be accepted is decided before.
 *
 * @throws Error for an unknown message type
 */
export function applyToDecision(before: Deliberation, envelope: DecisionEnvelope): Deliberation {
  const { sender } = envelope;
  switch (envelope.message_type) {
    case 'Proposal':
      return changed(before, { proposers: before.proposers.set(envelope.payload.proposal_id, sender) });
    case 'Evaluation':
      return evaluate(before, envelope.payload);
    case 'Objection':
      return object(before, sender, envelope.payload);
    case 'Vote':
      return vote(before, sender, envelope.payload);
    case 'Commitment':
      return changed(before, { commitment: { by: sender, payload: envelope.payload } });
    default:
      return throwUnsupported('message', (envelope satisfies never as MacpEnvelope).message_type);
  }
}

/** The phase of a decision. */
export function decisionPhaseOf({ commitment, voters, proposers }: Deliberation): DecisionPhase {
  if (commitment !== undefined) return 'Committed';
  if (voters.size > 0) return 'Voting';
  return proposers.size > 0 ? 'Evaluation' : 'Proposal';
}

/** A sender's vote on an option. */
export function voteOf({ votes }: Deliberation, sender: string, proposalId: string): Vote | undefined {
  return votes.get(pairKey(sender, proposalId));
}

/** How many critical objections there are. The cost is bounded by the number of participants. */
export function countCritical({ criticalObjections }: Deliberation): number {
  return [...criticalObjections.values()].reduce((sum, count) => sum + count, 0);
}

/** The decision with the votes on one option alone. The cost is bounded by the number of participants. */
export function onlyAbout(all: Deliberation, proposal_id: string): Deliberation {
  const { votes, voters, approvals, rejections, approvers } = NOTHING_PROPOSED;
  let about: Deliberation = { ...all, votes, voters, approvals, rejections, approvers };
  for (const voter of all.voters.keys()) {
    const found = voteOf(all, voter, proposal_id);
    if (found !== undefined) about = vote(about, voter, { proposal_id, vote: found, reason: '' });
  }
  return about;
}

function evaluate(before: Deliberation, { recommendation, confidence }: EvaluationPayload): Deliberation {
  if (recommendation === 'REVIEW') return before;
  return changed(before, { confidence: Math.max(confidence, before.confidence ?? 0) });
}

function object(before: Deliberation, sender: string, { severity }: ObjectionPayload): Deliberation {
  if (severity !== 'critical') return before;
  const { criticalObjections } = before;
  return changed(before, {
    criticalObjections: criticalObjections.set(sender, (criticalObjections.get(sender) ?? 0) + 1),
  });
}

function vote(before: Deliberation, sender: string, payload: VotePayload): Deliberation {
  const ballots = before.voters.get(sender) ?? NO_BALLOTS;
  const approves = payload.vote === 'APPROVE' ? 1 : 0;
  const rejects = payload.vote === 'REJECT' ? 1 : 0;
  return changed(before, {
    votes: before.votes.set(pairKey(sender, payload.proposal_id), payload.vote),
    voters: before.voters.set(sender, {
      approvals: ballots.approvals + approves,
      rejections: ballots.rejections + rejects,
      abstentions: ballots.abstentions + 1 - approves - rejects,
    }),
    approvals: before.approvals + approves,
    rejections: before.rejections + rejects,
    approvers: before.approvers + (ballots.approvals === 0 ? approves : 0),
  });
}

/** Field by field: engines take many times as long to add to a copy, and this is done for every message. */
function changed(before: Deliberation, changes: Partial<Deliberation>): Deliberation {
  return {
    proposers: changes.proposers ?? before.proposers,
    votes: changes.votes ?? before.votes,
    voters: changes.voters ?? before.voters,
    approvals: changes.approvals ?? before.approvals,
    rejections: changes.rejections ?? before.rejections,
    approvers: changes.approvers ?? before.approvers,
    criticalObjections: changes.criticalObjections ?? before.criticalObjections,
    confidence: changes.confidence ?? before.confidence,
    commitment: changes.commitment ?? before.commitment,
  };
}
