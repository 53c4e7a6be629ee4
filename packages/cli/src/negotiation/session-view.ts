import { defined } from '@proffer/core/json';
import {
  type AnyProjection,
  DEFAULT_POLICY,
  type Eligibility,
  isFinal,
  PROPOSAL_MODE,
  RUNTIME,
  type SessionMessage,
  type SessionMetadata,
  type SessionStatus,
} from '@proffer/core/negotiation';
import type { Style } from '../terminal/shell.js';
import { formatSpan, visible } from '../terminal/visible.js';
import { encodeProjection, phaseWord } from './any-session.js';
import { commitOptions } from './commit-options.js';
import type { Hint } from './hint.js';
import { showMissing } from './missing-view.js';
import { shortMode } from './mode-names.js';
import { showState } from './modes/mode-view.js';

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
    `${style.dim('mode')}          ${visible(shortMode(mode))}`,
    `${style.dim('initiator')}     ${visible(initiator)}`,
    `${style.dim('participants')}  ${names.join(', ')}`,
    `${style.dim('policy')}        ${visible(policy_version)}${style.dim(describePolicy(view))}`,
    '',
    ...showState(projection, style),
    '',
    ...showEnding(metadata, style),
    ...showOutcome(projection, eligibility, style),
    ...showMissing(view, hint),
    ...commitCommand(view, hint).map((line) => `  ${style.cyan('→')} ${visible(line)}`),
  ];
}

/** The command that commits an outcome of an open session; none if its committer cannot. */
export function commitCommand(
  { metadata, projection, eligibility }: Pick<SessionView, 'metadata' | 'projection' | 'eligibility'>,
  { command }: Hint,
): readonly string[] {
  const { outcomes = [], committer = '' } = eligibility ?? {};
  if (metadata.state !== 'OPEN' || outcomes.length === 0) return [];
  const negative = outcomes.includes('positive') ? '' : ' --negative';
  const options = `${negative}${commitOptions(projection, committer)}`;
  return [command('commit', [metadata.session_id], { options, sender: committer })];
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
