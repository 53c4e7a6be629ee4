import type { ServedList } from '../envelope/kind.js';
import type { DelegationFacts } from './delegation/delegation.js';
import type { GrantRecord } from './grants/grant.js';
import type { KeyRecord } from './keys/key.js';
import type { MembershipRecord } from './membership/invitation.js';
import type { ParticipantPaused, ParticipantResumed } from './pause/pause-participant.js';
import type { ByGrant, Recognisable, Recorded } from './records.js';

/** A participant announces what it serves; replaces its earlier announcement of the same list. */
export type Announced = Recorded<
  'announced',
  Recognisable & { readonly participant: string; readonly list: ServedList }
>;

/** Any other accepted message: chat, a plain request, its response, another protocol's message. */
export type Said = Recorded<
  'said',
  Recognisable &
    ByGrant & {
      readonly participant: string;
      /** The response lists what its sender serves: it was asked for this list. */
      readonly lists?: ServedList;
    }
>;

/** An approver delegated its part in all reviews, or took it back (O-34). */
export type Delegated = Recorded<
  'delegated',
  Recognisable & DelegationFacts & { readonly participant: string; readonly audience: readonly string[] }
>;

/**
 * An agent is about to approve a call alone: counted before it runs, so that a crash may waste one,
 * never add one.
 */
export type ActedAlone = Recorded<
  'acted_alone',
  { readonly participant: string; readonly entry: string; readonly about: string }
>;

/**
 * A person approved that a participant runs what another one served before (O-26): recorded before the
 * approval is appended, in the participant's own stream, which retention keeps.
 */
export type ExecutorConfirmed = Recorded<
  'executor_confirmed',
  {
    readonly participant: string;
    readonly list: ServedList;
    readonly name: string;
    readonly insteadOf: string;
    readonly by: string;
    readonly about: string;
  }
>;

/** An operator paused all approvals of the space, or ended the pause. */
export type ApprovalsPaused = Recorded<'approvals_paused', Pausing>;
export type ApprovalsResumed = Recorded<'approvals_resumed', Pausing>;

type Pausing = Recognisable & { readonly participant: string; readonly reason?: string };

/** Concerns the whole space: it changes the state of the space, not that of the sender. */
export type SpaceWideRecord = ApprovalsPaused | ApprovalsResumed;

const SPACE_WIDE: Readonly<Record<SpaceWideRecord['type'], true>> = {
  approvals_paused: true,
  approvals_resumed: true,
};

/** True for a record that changes the state of the space itself. */
export function isSpaceWide(record: ParticipantRecord): record is SpaceWideRecord {
  return Object.hasOwn(SPACE_WIDE, record.type);
}

/** Everything a participant sends that is not about a proposal, and its grants; together, its stream. */
export type ParticipantRecord =
  | Announced
  | Said
  | Delegated
  | ActedAlone
  | ExecutorConfirmed
  | GrantRecord
  | MembershipRecord
  | KeyRecord
  | ParticipantPaused
  | ParticipantResumed
  | SpaceWideRecord;
