import {
  DEFAULT_POLICY,
  type Eligibility,
  isFinal,
  type Phase,
  type ProposalProjection,
  RUNTIME,
  type SessionMetadata,
  type SessionStatus,
} from '@proffer/core/negotiation';
import type { Style } from '../terminal/style.js';
import { formatSpan } from '../terminal/time.js';
import { visible } from '../terminal/visible.js';
import type { Hint } from './hint.js';
import { showMissing } from './missing-view.js';
import { showOffers } from './offer-tree.js';

/** A session with everything that is known about it. */
export interface SessionView {
  readonly metadata: SessionMetadata;
  readonly intent: string;
  readonly projection: ProposalProjection;
  readonly eligibility: Eligibility | undefined;
  /** Whether making an offer counts as accepting it under the policy. */
  readonly ownOfferCounts: boolean;
}

/** The whole session for people. */
export function showSession(
  view: SessionView,
  { hint, now }: { readonly hint: Hint; readonly now: number },
): readonly string[] {
  const { style } = hint;
  const { metadata, intent, projection, eligibility, ownOfferCounts } = view;
  const { session_id, state, initiator, participants, policy_version } = metadata;
  const names = participants.map((name) => activity(metadata, name, style));
  return [
    `${style.bold(visible(session_id))}  ${statusWord(state, style)}  ${phaseWord(projection.phase, style)}  ${timeLeft(metadata, now, style)}`.trimEnd(),
    visible(intent),
    `${style.dim('initiator')}     ${visible(initiator)}`,
    `${style.dim('participants')}  ${names.join(', ')}`,
    `${style.dim('policy')}        ${visible(policy_version)}${style.dim(describePolicy(view))}`,
    '',
    style.bold('Offers'),
    ...showOffers(projection, { style, ownOfferCounts }),
    '',
    ...showEnding(metadata, style),
    ...showOutcome(projection, eligibility, style),
    ...showMissing(view, hint),
  ];
}

/** Which rules a built-in policy has, and whether the session named it or used the default. */
function describePolicy({ metadata, projection }: SessionView): string {
  const [start] = projection.transcript;
  const named = start?.message_type === 'SessionStart' ? start.payload.policy_version : '';
  const whose = POLICY_SOURCES[metadata.policy_version];
  const how = named === '' || named === DEFAULT_POLICY ? 'the default here' : undefined;
  const said = [whose, how].filter((text) => text !== undefined).join(', ');
  return said === '' ? '' : `  (${said})`;
}

const POLICY_SOURCES: Readonly<Record<string, string>> = {
  [DEFAULT_POLICY]: 'the guide’s rules',
  'policy.guide': 'the guide’s rules',
  'policy.rfc-0008': 'the rules of RFC-MACP-0008',
};

/** The same for programs. */
export function encodeSession({ metadata, intent, projection, eligibility }: SessionView): object {
  return {
    session: metadata,
    intent,
    ...encodeProjection(projection),
    ...(eligibility === undefined ? {} : { eligibility }),
  };
}

/** The state of the negotiation, for programs. */
export function encodeProjection(projection: ProposalProjection): object {
  const accepted = projection.acceptedProposal();
  return {
    phase: projection.phase,
    proposals: [...projection.proposals.values()],
    accepts: [...projection.accepts.values()],
    rejections: projection.rejections,
    ...(accepted === undefined ? {} : { acceptedProposal: accepted }),
    isConverged: projection.isConverged(),
    ...(projection.commitment === undefined ? {} : { commitment: projection.commitment }),
  };
}

/** The state of a session, coloured. */
export function statusWord(status: SessionStatus, style: Style): string {
  switch (status) {
    case 'OPEN':
      return style.cyan(status);
    case 'SUSPENDED':
    case 'EXPIRED':
      return style.yellow(status);
    case 'RESOLVED':
      return style.green(status);
    case 'CANCELLED':
      return style.red(status);
  }
}

/** The phase of a negotiation, coloured. */
export function phaseWord(phase: Phase, style: Style): string {
  switch (phase) {
    case 'Negotiating':
      return phase;
    case 'TerminalRejected':
      return style.red(phase);
    case 'Committed':
      return style.green(phase);
  }
}

/** How long a session has left; empty once it has ended. */
export function timeLeft({ state, expires_at_unix_ms }: SessionMetadata, now: number, style: Style): string {
  if (isFinal(state)) return '';
  const left = formatSpan(expires_at_unix_ms - now);
  return style.dim(state === 'SUSPENDED' ? `${left} left once it is resumed` : `${left} left`);
}

function activity({ participant_activity }: SessionMetadata, name: string, style: Style): string {
  const found = participant_activity.find(({ participant_id }) => participant_id === name);
  return found === undefined ? `${visible(name)} ${style.dim('(silent)')}` : visible(name);
}

/** Who ended a session without an outcome, and why; an outcome shows more. */
function showEnding({ state, ending }: SessionMetadata, style: Style): readonly string[] {
  if (ending === undefined || ending.outcome_positive !== undefined) return [];
  const by = ending.by === RUNTIME ? '' : ` by ${visible(ending.by)}`;
  const reason = ending.reason === '' ? style.dim('(no reason given)') : visible(ending.reason);
  return [`${style.bold('Ended')}  ${statusWord(state, style)}${by}: ${reason}`];
}

function showOutcome(
  { commitment }: ProposalProjection,
  eligibility: Eligibility | undefined,
  style: Style,
): readonly string[] {
  if (commitment !== undefined) {
    const { outcome_positive, action, reason, authority_scope } = commitment;
    const word = outcome_positive ? style.green('positive') : style.red('negative');
    return [
      `${style.bold('Outcome')}  ${word}  ${visible(action)}  ${style.dim(`(${visible(authority_scope)})`)}`,
      `  ${visible(reason)}`,
    ];
  }
  if (eligibility === undefined) return [];
  const { outcomes, committer, reasons } = eligibility;
  const head =
    outcomes.length === 0
      ? style.yellow(`${visible(committer)} cannot commit`)
      : `${style.green(`${visible(committer)} can commit`)} ${style.dim(`a ${outcomes.join(' or ')} outcome`)}`;
  return [head, ...reasons.map((reason) => `  ${visible(reason)}`)];
}
