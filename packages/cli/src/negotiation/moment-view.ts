import type { Shell } from '../terminal/shell.js';
import { formatMoment } from '../terminal/time.js';
import { visible } from '../terminal/visible.js';
import { pad } from '../terminal/width.js';
import { wordsFor } from './message-words.js';
import { encodeProjection, phaseWord, statusWord } from './session-view.js';
import type { Moment, Story } from './story.js';

/** One message of a session, and the state after it. */
export function showMoment(
  { sequence, envelope, time, session }: Moment,
  { projection, explain }: Story,
  { style, now }: Pick<Shell, 'style' | 'now'>,
): readonly string[] {
  const { who, what, detail } = wordsFor(envelope, style);
  const live = projection.liveProposals().map(({ proposalId }) => visible(proposalId));
  const accepts = [...projection.accepts.values()].map(
    ({ sender, proposalId }) => `${visible(sender)} → ${visible(proposalId)}`,
  );
  const outcomes = explain(time)?.outcomes ?? [];
  const indent = ' '.repeat(5);
  return [
    `${pad(style.bold(String(sequence)), 5)}${style.dim(formatMoment(time, now()))}  ${who} ${what} ${detail}`.trimEnd(),
    `${indent}${statusWord(session.status, style)} · ${phaseWord(projection.phase, style)} · live: ${live.join(', ') || 'none'}`,
    ...(accepts.length === 0 ? [] : [`${indent}accepts: ${accepts.join(', ')}`]),
    ...(outcomes.length === 0
      ? []
      : [`${indent}${style.green(`can be committed: ${outcomes.join(' or ')}`)}`]),
  ];
}

/** The same for programs. */
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
