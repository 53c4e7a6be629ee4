import { type AnyProjection, ProposalProjection } from '@proffer/core/negotiation';
import type { Shell } from '../terminal/shell.js';
import { formatMoment, pad, visible } from '../terminal/visible.js';
import { encodeProjection, phaseWord } from './any-session.js';
import { wordsFor } from './message-words.js';
import { statusWord } from './session-view.js';
import type { Moment, Story } from './story.js';

/** One message of a session, and the state after it. */
export function showMoment(
  { sequence, envelope, time, session }: Moment,
  { projection, explain }: Story,
  { style, now }: Pick<Shell, 'style' | 'now'>,
): readonly string[] {
  const { who, what, detail } = wordsFor(envelope, style);
  const outcomes = explain(time)?.outcomes ?? [];
  const indent = ' '.repeat(5);
  return [
    `${pad(style.bold(String(sequence)), 5)}${style.dim(formatMoment(time, now()))}  ${who} ${what} ${detail}`.trimEnd(),
    `${indent}${[statusWord(session.status, style), phaseWord(projection, style), ...liveOffers(projection)].filter((word) => word !== '').join(' · ')}`,
    ...acceptances(projection).map((line) => `${indent}${line}`),
    ...(outcomes.length === 0
      ? []
      : [`${indent}${style.green(`can be committed: ${outcomes.join(' or ')}`)}`]),
  ];
}

function liveOffers(projection: AnyProjection): readonly string[] {
  if (!(projection instanceof ProposalProjection)) return [];
  const live = projection.liveProposals().map(({ proposalId }) => visible(proposalId));
  return [`live: ${live.join(', ') || 'none'}`];
}

function acceptances(projection: AnyProjection): readonly string[] {
  if (!(projection instanceof ProposalProjection) || projection.accepts.size === 0) return [];
  const accepts = Array.from(
    projection.accepts.values(),
    ({ sender, proposalId }) => `${visible(sender)} → ${visible(proposalId)}`,
  );
  return [`accepts: ${accepts.join(', ')}`];
}

/** A moment for programs. */
export function encodeMoment(
  { sequence, envelope, time, session }: Moment,
  { projection, explain }: Story,
): object {
  return {
    sequence,
    time,
    envelope,
    state: session.status,
    ...encodeProjection(projection),
    outcomes: explain(time)?.outcomes ?? [],
  };
}
