import { defined } from '@proffer/core/json';
import {
  DEFAULT_POLICY,
  type Eligibility,
  isFinal,
  PROPOSAL_MODE,
  RUNTIME,
  type SessionMessage,
  type SessionMetadata,
  SessionProjection,
  type SessionStatus,
} from '@proffer/core/negotiation';
import type { Style } from '../terminal/shell.js';
import { formatSpan, visible } from '../terminal/visible.js';
import { type AnyProjection, encodeProjection, phaseWord } from './any-projection.js';
import type { Hint } from './hint.js';
import { wordsFor } from './message-words.js';
import { showMissing } from './missing-view.js';
import { showOffers } from './offer-tree.js';

/** A session with everything that is known about it. */
export interface SessionView {
  readonly metadata: SessionMetadata;
  readonly start: SessionMessage<'SessionStart'> | undefined;
  readonly projection: AnyProjection;
  readonly eligibility: Eligibility | undefined;
}

/** The whole session for people. */
export function showSession(
  view: SessionView,
  { hint, now }: { readonly hint: Hint; readonly now: number },
): readonly string[] {
  const { style } = hint;
  const { metadata, start, projection, eligibility } = view;
  const { session_id, mode, state, initiator, participants, policy_version } = metadata;
  const names = participants.map((name) => activity(metadata, name, style));
  return [
    [
      style.bold(visible(session_id)),
      statusWord(state, style),
      phaseWord(projection, style),
      timeLeft(metadata, now, style),
    ]
      .filter((word) => word !== '')
      .join('  '),
    visible(start?.payload.intent ?? ''),
    ...(mode === PROPOSAL_MODE ? [] : [`${style.dim('mode')}          ${visible(mode)}`]),
    `${style.dim('initiator')}     ${visible(initiator)}`,
    `${style.dim('participants')}  ${names.join(', ')}`,
    `${style.dim('policy')}        ${visible(policy_version)}${style.dim(describePolicy(view))}`,
    '',
    ...(projection instanceof SessionProjection
      ? [style.bold('Messages'), ...showMessages(projection, style)]
      : [style.bold('Offers'), ...showOffers(projection, style)]),
    '',
    ...showEnding(metadata, style),
    ...showOutcome(projection, eligibility, style),
    ...showMissing(view, hint),
  ];
}

/** What was said, line by line, in a mode whose state has no view of its own. */
function showMessages({ transcript }: SessionProjection, style: Style): readonly string[] {
  return transcript.map((envelope) => {
    const { who, what, detail } = wordsFor(envelope, style);
    return `  ${who} ${what} ${detail}`.trimEnd();
  });
}

/** Which rules a built-in policy has, and whether the session named it or used the default. */
function describePolicy({ metadata, start }: SessionView): string {
  const named = start?.payload.policy_version ?? '';
  const whose = metadata.mode === PROPOSAL_MODE ? POLICY_SOURCES[metadata.policy_version] : undefined;
  const how = named === '' || named === DEFAULT_POLICY ? 'the default here' : undefined;
  const said = [whose, how].filter((text) => text !== undefined).join(', ');
  return said === '' ? '' : `  (${said})`;
}

const POLICY_SOURCES: Readonly<Record<string, string>> = {
  [DEFAULT_POLICY]: 'the guide’s rules',
  'policy.guide': 'the guide’s rules',
  'policy.rfc-0008': 'the rules of RFC-MACP-0008',
};

/** A session for programs. */
export function encodeSession({ metadata, start, projection, eligibility }: SessionView): object {
  return {
    session: metadata,
    intent: start?.payload.intent ?? '',
    ...encodeProjection(projection),
    ...defined({ eligibility }),
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
  { commitment, commitmentHash = '' }: AnyProjection,
  eligibility: Eligibility | undefined,
  style: Style,
): readonly string[] {
  if (commitment !== undefined) {
    const { outcome_positive, action, reason, authority_scope } = commitment;
    const word = outcome_positive ? style.green('positive') : style.red('negative');
    return [
      `${style.bold('Outcome')}  ${word}  ${visible(action)}  ${style.dim(`(${visible(authority_scope)})`)}`,
      `  ${visible(reason)}`,
      style.dim(`  ${commitmentHash}`),
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
