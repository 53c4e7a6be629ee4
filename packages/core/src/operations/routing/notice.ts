import { type Envelope, GATEWAY, PROTOCOL } from '../../envelope/envelope.js';
import { sha256 } from '../../hash/sha256.js';
import type { JsonValue } from '../../json/json.js';
import type { Proposal } from '../proposal/proposal.js';
import {
  type AddresseesAbsent,
  type Declined,
  type Escalated,
  type Expired,
  type Expiring,
  type LeftUnanswered,
  type NobodyCapable,
  type Opened,
  type OptionsUnused,
  type OutcomeUnknown,
  participantStream,
} from '../records.js';
import type { RejectionEnding } from '../review/approvers.js';
import type { SpaceState } from '../space/space.js';
import { concernedIn } from './visibility.js';

/** The names of the gateway's notices. */
export type NoticeName =
  | 'expired'
  | 'expiring'
  | 'escalated'
  | 'declined'
  | 'agreed'
  | 'nobody_capable'
  | 'addressees_absent'
  | 'unanswered'
  | 'options_unused'
  | 'opened'
  | 'outcome_unknown'
  | 'dependencies_met'
  | 'dependency_failed'
  | 'acted_alone'
  | 'executor_confirmed'
  | 'grant_used'
  | 'grant_ended';

/** The payload of a `system.notice`. */
export type NoticePayload = { readonly notice: NoticeName; readonly [detail: string]: JsonValue | undefined };

/**
 * Records of what the gateway finds on its own. Each carries the `system.notice` for everyone. Its id
 * is derived from the proposal and the version, so that two gateways produce the same notice, and
 * only one of them gets into the journal; participants cannot use ids of this form.
 */
export function expired(proposal: Proposal, now: number): Expired {
  const payload: NoticePayload = { notice: 'expired', expiredAt: proposal.expiresAt ?? now };
  return { type: 'expired', ...found(proposal, now, payload), facts: { proposal: proposal.id } };
}

/** The proposal expires soon (O-36). */
export function expiring(proposal: Proposal, now: number): Expiring {
  const payload: NoticePayload = { notice: 'expiring', expiresAt: proposal.expiresAt ?? now };
  return { type: 'expiring', ...found(proposal, now, payload), facts: { proposal: proposal.id } };
}

/** No one decided in time, so others are asked (O-33). */
export function escalated(proposal: Proposal, now: number, to: readonly string[]): Escalated {
  const payload: NoticePayload = { notice: 'escalated', to };
  // The notice is also for those who are asked from now on.
  const asked = { ...proposal, escalatedTo: [...proposal.escalatedTo, ...to] };
  return { type: 'escalated', ...found(asked, now, payload), facts: { proposal: proposal.id, to } };
}

/** No one decided in time, and no one is left to ask (O-33). */
export function declinedUnanswered(proposal: Proposal, now: number): Declined {
  const { addressees: unansweredBy } = proposal;
  const payload: NoticePayload = {
    notice: 'declined',
    final: true,
    why: 'unanswered',
    rejectedBy: [],
    unansweredBy,
  };
  return {
    type: 'declined',
    ...found(proposal, now, payload),
    facts: { proposal: proposal.id, final: true },
  };
}

/** No one present could fulfil it; the proposal stays open (O-38). */
export function nobodyCapable(proposal: Proposal, now: number): NobodyCapable {
  const payload: NoticePayload = { notice: 'nobody_capable' };
  return { type: 'nobody_capable', ...found(proposal, now, payload), facts: { proposal: proposal.id } };
}

/** Nobody answered in the time that the proposer set; the proposal stays open (O-48). */
export function unanswered(proposal: Proposal, now: number): LeftUnanswered {
  const payload: NoticePayload = { notice: 'unanswered', unansweredBy: proposal.addressees };
  return { type: 'unanswered', ...found(proposal, now, payload), facts: { proposal: proposal.id } };
}

/** The proposal has options without an effect (O-48). */
export function optionsUnused(proposal: Proposal, now: number, options: readonly string[]): OptionsUnused {
  const payload: NoticePayload = { notice: 'options_unused', options };
  const facts = { proposal: proposal.id, options };
  return { type: 'options_unused', ...found(proposal, now, payload), facts };
}

/** An addressee is offline; the proposal stays open (O-32). */
export function addresseesAbsent(
  proposal: Proposal,
  now: number,
  absent: readonly string[],
): AddresseesAbsent {
  const payload: NoticePayload = { notice: 'addressees_absent', absent };
  const facts = { proposal: proposal.id, absent };
  return { type: 'addressees_absent', ...found(proposal, now, payload), facts };
}

/** Every addressee has rejected it (O-18), or a reservation without fallback failed (O-20). */
export function declined(
  proposal: Proposal,
  now: number,
  { final, hasRejected }: { readonly final: boolean; readonly hasRejected: (name: string) => boolean },
): Declined {
  const { addressees } = proposal;
  const rejectedBy = addressees.filter(hasRejected);
  const unansweredBy = addressees.filter((name) => !hasRejected(name));
  const payload: NoticePayload = { notice: 'declined', final, rejectedBy, unansweredBy };
  return { type: 'declined', ...found(proposal, now, payload), facts: { proposal: proposal.id, final } };
}

/** A rejection ended it, by the space's policy (O-31). */
export function declinedBy(
  proposal: Proposal,
  now: number,
  { by, reason, why, entry }: { readonly by: string; readonly reason: string } & RejectionEnding,
): Declined {
  const payload: NoticePayload = {
    notice: 'declined',
    final: true,
    by,
    reason,
    why,
    entry,
    rejectedBy: [by],
    unansweredBy: [],
  };
  return {
    type: 'declined',
    ...found(proposal, now, payload),
    facts: { proposal: proposal.id, final: true },
  };
}

/** The window of the preferred has ended: anyone may fulfil it now (O-20). */
export function opened(proposal: Proposal, now: number): Opened {
  const payload: NoticePayload = { notice: 'opened', wasFor: proposal.targeting?.preferred ?? [] };
  return { type: 'opened', ...found(proposal, now, payload), facts: { proposal: proposal.id } };
}

/** The operation was started and its outcome is unknown (O-23). */
export function outcomeUnknown(
  proposal: Proposal,
  now: number,
  cause: OutcomeUnknown['facts']['cause'],
): OutcomeUnknown {
  const { fulfilment } = proposal;
  const payload: NoticePayload = {
    notice: 'outcome_unknown',
    cause,
    request: fulfilment?.request,
    executor: fulfilment?.executor,
    fulfilledBy: fulfilment?.by,
  };
  return {
    type: 'outcome_unknown',
    ...found(proposal, now, payload),
    facts: { proposal: proposal.id, cause },
  };
}

/** What every record of this kind has: the time, the gateway as its author, and the notice. */
export function found(proposal: Proposal, now: number, payload: NoticePayload) {
  return { time: now, principal: GATEWAY, envelope: notice(proposal, now, payload) } as const;
}

function notice(proposal: Proposal, now: number, payload: NoticePayload): Envelope {
  const unique = sha256(`${proposal.id}#${proposal.version + 1}`).slice(0, 32);
  return {
    protocol: PROTOCOL,
    id: `system:${unique}`,
    ts: new Date(now).toISOString(),
    from: GATEWAY,
    // A notice about a restricted proposal is for those concerned: it reveals as much as the proposal
    // itself (O-21).
    ...(proposal.to.length === 0 ? {} : { to: concernedIn(proposal) }),
    kind: 'system.notice',
    correlationId: proposal.id,
    payload: { ...payload, proposal: proposal.id },
  };
}

/** A notice about a proposal that goes to the stream of a participant instead of the proposal's own. */
export interface ParticipantNotice {
  readonly participant: string;
  /** The id of the proposal. */
  readonly about: string;
  readonly time: number;
  readonly payload: NoticePayload;
}

/**
 * Where a notice to a participant is appended, and what its record has in common with others of this kind. Its id follows
 * from the participant and the version of its stream, so that two gateways cannot both record it.
 */
export function noticeTo(space: SpaceState, { participant, about, time, payload }: ParticipantNotice) {
  const expectedVersion = space.participants.get(participant)?.version ?? 0;
  const unique = sha256(`${participant}#${expectedVersion + 1}`).slice(0, 32);
  const envelope = {
    protocol: PROTOCOL,
    id: `system:${unique}`,
    ts: new Date(time).toISOString(),
    from: GATEWAY,
    to: [participant],
    kind: 'system.notice',
    correlationId: about,
    payload,
  } as const;
  const stream = participantStream(space.settings.name, participant);
  return { stream, expectedVersion, noticed: { time, principal: GATEWAY, envelope } } as const;
}
