import type { Envelope } from '../envelope/envelope.js';
import type { Change } from '../json/diff.js';
import type { JsonObject } from '../json/json.js';
import type { SessionAgreement } from './agreements/agreement.js';
import type { CounterAccepted, Countered } from './counter/counter.js';
import type { DelegationFacts, Delegator } from './delegation/delegation.js';
import type { FailedDependency } from './dependencies/dependency.js';
import type { SignatureFacts } from './keys/check-assertion.js';
import type { ParticipantRecord } from './participant-records.js';
import type { ArgumentFacts } from './proposal/arguments.js';
import type { Lifetime } from './proposal/lifetime.js';
import type { UnknownCause } from './proposal/proposal.js';

export type * from './participant-records.js';

/** One kind of record. */
export type Recorded<Type extends string, Facts extends JsonObject> = {
  readonly type: Type;
  readonly time: number;
  readonly principal: string;
  readonly envelope: Envelope;
  readonly facts: Facts;
};

/**
 * Every record in a proposal's stream names the proposal, and, in a space with restricted visibility,
 * who sees it (O-43): absent means everyone.
 */
type Noted = { readonly proposal: string; readonly seenBy?: readonly string[] };

/**
 * The record of a message also has what distinguishes it from another message under the same id
 * (O-3), and who must see it whatever `to` says (O-14).
 */
export type About = Noted & Recognisable & ByGrant & { readonly audience?: readonly string[] };

/** The grant that a message was based on, if its sender's own capabilities did not allow it (O-41). */
export type ByGrant = { readonly grant?: string };

export type Recognisable = { readonly fingerprint: string };

/** The targeting of a proposal, normalised (O-20). */
export type Targeting = {
  readonly preferred: readonly string[];
  readonly exclusive: boolean;
  /**
   * What happens to an exclusive proposal that the preferred do not take: true = anyone may, false =
   * declined.
   */
  readonly fallback: boolean;
  /** When the window of the preferred ends: reserved until then if exclusive, only a hint if not. */
  readonly until?: number;
  /** Whether the window also ends when none of the preferred is there. */
  readonly quickReject?: true;
};

/** A step of an escalation, with its time. */
export type DueStep = { readonly at: number; readonly to: readonly string[] };

/** The person behind a participant, and its roles. */
export type Requester = {
  readonly subject?: string;
  readonly roles?: readonly string[];
  /** The person it works for, if the operator says so (O-30). */
  readonly worksFor?: string;
};

/** What a policy requires: by which entry, how many approvals, and whose (O-28). */
export type AskedReview = {
  readonly entry: string;
  readonly needed: number;
  /** Names and `role:…`; empty means everyone who could make the request. */
  readonly from: readonly string[];
  /** The modes of the sessions in which approvals are given, if only there (O-53). */
  readonly by?: readonly string[];
  /** Whether each approval has to be signed (O-49). */
  readonly signed?: true;
};

export type Proposed = Recorded<
  'proposed',
  About &
    ArgumentFacts &
    Lifetime & {
      readonly digest: string;
      /** What happens if no one decides, and when; with no one to ask it is declined (O-33). */
      readonly escalation?: readonly DueStep[];
      readonly targeting?: Targeting | undefined;
      /** When the proposer is told that there was no answer (O-48). */
      readonly answerDueAt?: number;
      /**
       * The proposals that must settle `ok` first, and what follows if one does not (O-37); by default it
       * is declined.
       */
      readonly dependencies?: { readonly waitsFor: readonly string[]; readonly onFailure?: 'keep' };
      /**
       * Who is asked to act: `to` and the preferred, each once, without a proposer that may not act itself.
       */
      readonly addressees: readonly string[];
      /** Who the proposer is, if the operator says so (O-28, O-30). */
      readonly requester?: Requester;
      /** What the space's policy requires (O-28). */
      readonly review?: AskedReview;
      /** The grant by which it runs at once, without a review (O-41). */
      readonly runsBy?: string;
    }
>;

/** What an approval was counted by under a policy, and what that was based on (O-28). */
export type ApprovalBasis = {
  /** The entry of the policy. */
  readonly entry?: string;
  /** The person, and its roles. */
  readonly subject?: string;
  readonly roles?: readonly string[];
  /** How many approvals there are with this one, out of how many. */
  readonly given?: number;
  readonly needed?: number;
  /** Whose part it was, if that person delegated it (O-34). */
  readonly onBehalfOf?: Delegator;
  /** An agent approved it alone, within its limits. */
  readonly alone?: true;
  /** The message is signed with a key of its sender (O-49). */
  readonly signed?: SignatureFacts;
  /** The session in which it was given (O-53). */
  readonly session?: string;
};

export type Fulfilled = Recorded<
  'fulfilled',
  About &
    ArgumentFacts &
    ApprovalBasis & {
      /** Who runs it, if one participant was named or found (O-26). */
      readonly executor?: string | undefined;
      /** Who served the tool before, if the executor runs it for the first time. The approver saw that. */
      readonly insteadOf?: string;
      /** When the outcome becomes unknown; absent for notifications, which have no answer. */
      readonly answerBy?: number | undefined;
      readonly proposedDigest: string;
      readonly ranDigest: string;
      /** The accepted counter-offer, if it ran by one (O-40). */
      readonly counter?: string;
      /**
       * The proposing agent runs the call: whether it ran is unknown until the agent reports (O-46). Absent in older
       * records.
       */
      readonly allowed?: true;
      /** What the fulfiller changed in the params (O-13); empty if nothing. */
      readonly amendment: readonly Change[];
    }
>;

/** Someone approved exactly these params (O-29). If that is enough, the fulfilment follows at once. */
export type Approved = Recorded<
  'approved',
  About &
    ApprovalBasis & {
      readonly digest: string;
      readonly executor?: string;
      /** As in {@link Fulfilled}. */
      readonly insteadOf?: string;
      /** The addressees of the request, if there is no single executor: any of them may run it. */
      readonly runBy?: readonly string[];
      /** Whose approval is still possible: names and `role:…`. */
      readonly missing?: readonly string[];
      /** The approval is enough, and the call runs when these have settled `ok` (O-37). */
      readonly waitsFor?: readonly string[];
      /** What the record of the fulfilment will say it was based on: entry, roles and counts. */
      readonly rested?: JsonObject;
    }
>;

/** An approver took its approval back, before the policy was met (O-29). */
export type ApprovalWithdrawn = Recorded<'approval_withdrawn', About & { readonly subject?: string }>;

export type Answered = Recorded<
  'answered',
  About & {
    /** `unknown`: the executor itself cannot say how it ended (O-23). */
    readonly outcome: 'ok' | 'error' | 'unknown';
    /** The executor says that it ran nothing. Absent in older records. */
    readonly notRun?: true;
    /** The method named in the request. */
    readonly method: string;
  }
>;

/** The message that a record is a part of, if it was about several proposals (O-35). */
type InBatch = { readonly batch?: { readonly id: string; readonly fingerprint: string } };

export type Withdrawn = Recorded<'withdrawn', About & InBatch>;
export type Rejected = Recorded<
  'rejected',
  About &
    InBatch & {
      /** True if its sender could have approved the proposal instead (O-31). */
      readonly couldApprove?: true;
      /** Who the sender is, if the operator says so (O-28, O-30). */
      readonly subject?: string;
      readonly roles?: readonly string[];
      readonly onBehalfOf?: Delegator;
      /** The session in which it was given (O-53). */
      readonly session?: string;
    }
>;
/** A session was committed that decided about the call (O-53), and what its participants had accepted. */
export type Agreed = Recorded<'agreed', Noted & { readonly agreement: SessionAgreement }>;
/** An approver delegated its part in this proposal, or took it back (O-34). */
export type ReviewDelegated = Recorded<'review_delegated', About & DelegationFacts>;
export type StatusReported = Recorded<'status_reported', About & InBatch>;

/** The proposer extended it (O-36). */
export type Renewed = Recorded<'renewed', About & Lifetime>;

/** What the gateway finds on its own. The envelope is the notice to everyone. */
/** No one present could fulfil a proposal that asks for capable participants (O-38). */
export type NobodyCapable = Recorded<'nobody_capable', Noted>;
/** Nobody answered in the time that the proposer set (O-48). */
export type LeftUnanswered = Recorded<'unanswered', Noted>;
/** Options of the proposal that have no effect here (O-48). */
export type OptionsUnused = Recorded<'options_unused', Noted & { readonly options: readonly string[] }>;
export type AddresseesAbsent = Recorded<'addressees_absent', Noted & { readonly absent: readonly string[] }>;
export type Expired = Recorded<'expired', Noted>;
/** The proposal expires soon (O-36). */
export type Expiring = Recorded<'expiring', Noted>;
/** No one decided in time: others are asked, too (O-33). */
export type Escalated = Recorded<'escalated', Noted & { readonly to: readonly string[] }>;
export type Declined = Recorded<
  'declined',
  Noted & Partial<FailedDependency> & { readonly final: boolean; readonly why?: string }
>;
/** Some of the proposals it depends on settled `ok` (O-37). */
export type DependenciesMet = Recorded<
  'dependencies_met',
  Noted & { readonly dependencies: readonly string[] }
>;
/** One of them failed, and the proposal must be decided all the same (O-37). */
export type DependencyFailed = Recorded<'dependency_failed', Noted & FailedDependency>;
export type Opened = Recorded<'opened', Noted>;
export type OutcomeUnknown = Recorded<'outcome_unknown', Noted & { readonly cause: UnknownCause }>;

/** Everything that can happen to one proposal; together, its stream. */
export type ProposalRecord =
  | Proposed
  | Approved
  | ApprovalWithdrawn
  | Countered
  | CounterAccepted
  | Agreed
  | Fulfilled
  | Answered
  | Withdrawn
  | Rejected
  | ReviewDelegated
  | StatusReported
  | AddresseesAbsent
  | NobodyCapable
  | LeftUnanswered
  | OptionsUnused
  | Renewed
  | Expiring
  | Escalated
  | Expired
  | Declined
  | DependenciesMet
  | DependencyFailed
  | Opened
  | OutcomeUnknown;

/** Everything that can happen in a space. */
export type OperationRecord = ProposalRecord | ParticipantRecord;

/** True for a record that belongs to a proposal's stream. */
export function isProposalRecord(record: OperationRecord): record is ProposalRecord {
  return 'proposal' in record.facts;
}

/** The stream of a proposal. Space names contain no slash, so streams of different spaces never collide. */
export function proposalStream(space: string, proposal: string): string {
  if (proposal !== ofProposal.name || space !== ofProposal.space) {
    ofProposal = { space, name: proposal, stream: `${space}/proposal/${proposal}` };
  }
  return ofProposal.stream;
}

/** The stream of a participant's messages that are not about a proposal. */
export function participantStream(space: string, participant: string): string {
  if (participant !== ofParticipant.name || space !== ofParticipant.space) {
    ofParticipant = { space, name: participant, stream: `${space}/participant/${participant}` };
  }
  return ofParticipant.stream;
}

interface NamedStream {
  readonly space: string;
  readonly name: string;
  readonly stream: string;
}

// The last one of each kind is cached: several steps of one message ask for the same, and a map
// finds a known string by identity, where it would have to hash a new one.
let ofProposal: NamedStream = { space: '', name: '', stream: '/proposal/' };
let ofParticipant: NamedStream = { space: '', name: '', stream: '/participant/' };

/** The stream that a record belongs to. */
export function streamOf(space: string, record: OperationRecord): string {
  return isProposalRecord(record)
    ? proposalStream(space, record.facts.proposal)
    : participantStream(space, record.facts.participant);
}
