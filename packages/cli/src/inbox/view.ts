import { diffJson } from '@proffer/core/json';
import { argumentsOf, nameOf, type ProposalView } from '../connection/proposal-view.js';
import { doubtAbout } from '../connection/runnable.js';
import type { Present } from '../connection/served.js';
import { showChanges } from '../display/changes.js';
import { reasonOf } from '../display/message-line.js';
import { showArguments } from '../display/operation.js';
import type { Style } from '../terminal/style.js';
import { formatSpan } from '../terminal/time.js';
import { visible, visibleArguments } from '../terminal/visible.js';
import { displayWidth, fit, pad } from '../terminal/width.js';
import { wrapLine, wrapWords } from '../terminal/wrap.js';
import { type InboxState, type Note, selectedIn } from './state.js';

/** Where the inbox is drawn. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly style: Style;
  readonly now: number;
  readonly title: string;
  /** Who is in the space; absent where that is not known. */
  readonly members?: readonly Present[] | undefined;
}

/** The whole screen, as exactly as many lines as it has. Pure. */
export function drawInbox(state: InboxState, canvas: Canvas): readonly string[] {
  const { height, width, style } = canvas;
  const foot = drawFoot(state, canvas);
  const head = [drawHead(state, canvas), style.dim('─'.repeat(width))];
  const room = Math.max(4, height - head.length - foot.length - 1);
  const list = drawList(state, canvas, Math.max(3, Math.min(state.proposals.length, Math.floor(room / 3))));
  const details = drawDetails(state, canvas, Math.max(1, room - list.length));
  const lines = [...head, ...list, style.dim('─'.repeat(width)), ...details];
  while (lines.length < height - foot.length) lines.push('');
  return [...lines.slice(0, height - foot.length), ...foot];
}

/** The first of ever shorter lines that fits. The state of the connection is in each of them. */
function drawHead({ proposals, more, connected }: InboxState, { style, title, width }: Canvas): string {
  const line = connected ? style.green('● live') : style.red('○ the gateway is gone; trying again');
  const name = style.bold('Proffer inbox');
  const number = String(proposals.length + more);
  const pending = style.cyan(`${number} pending`);
  const rejected = proposals.filter(({ rejections }) => Object.keys(rejections).length > 0).length;
  const turnedDown = rejected === 0 ? '' : style.dim(`, ${rejected} of them rejected`);
  const choices = [
    [name, title, `${pending}${turnedDown}`, line],
    [name, `${pending}${turnedDown}`, line],
    [name, title, pending, line],
    [name, title, style.cyan(number), line],
    [name, style.cyan(number), line],
    [style.cyan(number), line],
  ].map((parts) => parts.join('  '));
  return choices.find((choice) => displayWidth(choice) <= width) ?? line;
}

function drawList(
  { proposals, selected }: InboxState,
  { style, width, now, members }: Canvas,
  rows: number,
): readonly string[] {
  if (proposals.length === 0)
    return [style.dim(fit('Nothing waits for a decision. What is proposed appears here by itself.', width))];
  const place = Math.max(
    0,
    proposals.findIndex(({ id }) => id === selected),
  );
  const first = Math.max(0, Math.min(place - Math.floor(rows / 2), proposals.length - rows));
  return proposals.slice(first, first + rows).map((proposal) => {
    const isSelected = proposal.id === selected;
    const isDoubtful = members !== undefined && doubtAbout(proposal, members) !== undefined;
    const text = fit(row(proposal, now, isDoubtful), width - 2);
    return isSelected ? style.inverse(pad(`› ${text}`, width)) : `  ${text}`;
  });
}

function row(proposal: ProposalView, now: number, isDoubtful: boolean): string {
  const age = pad(formatSpan(now - proposal.proposedAt), 8);
  const from = pad(fit(visible(proposal.proposer), 16), 12);
  const marks = `${Object.keys(proposal.rejections).length > 0 ? '✗ ' : ''}${isDoubtful ? '! ' : ''}`;
  return `${age} ${from} ${marks}${visible(nameOf(proposal))}  ${visibleArguments(argumentsOf(proposal))}`;
}

function drawDetails(
  state: InboxState,
  { style, width, now, members }: Canvas,
  rows: number,
): readonly string[] {
  const proposal = selectedIn(state);
  if (proposal === undefined) return [];
  const { id, proposer, method, expiresAt, rejections, statuses } = proposal;
  const draft = state.draft?.id === id ? state.draft.params : undefined;
  const doubt = members === undefined ? undefined : doubtAbout(proposal, members);
  const expires = expiresAt === undefined ? '' : `, expires in ${formatSpan(expiresAt - now)}`;
  const lines = [
    `${visible(proposer)} proposes ${style.bold(visible(nameOf(proposal)))} ${style.dim(`${visible(method)} · ${visible(id)}${expires}`)}`,
    ...(doubt === undefined ? [] : [style.yellow(`! ${visible(doubt)}`)]),
    ...showArguments(proposal, style, '  '),
    ...Object.entries(rejections).map(
      ([name, said]) => `${style.red('✗')} ${visible(name)} rejected it: ${reasonOf(said)}`,
    ),
    ...Object.entries(statuses).map(
      ([name, said]) => `· ${visible(name)}: ${visible(said.status)} ${visible(said.message ?? '')}`,
    ),
    ...(draft === undefined
      ? []
      : [
          style.yellow('Your changes (a approves with them, Esc drops them):'),
          ...showChanges(diffJson(proposal.params, draft), style, '  '),
        ]),
  ].flatMap((line) => wrapLine(line, width));
  if (lines.length <= rows) return lines;
  const last = Math.max(0, lines.length - (rows - 1));
  const from = Math.min(state.scroll, last);
  const hidden = lines.length - from - (rows - 1);
  const more = hidden > 0 ? `↓ ${hidden} more lines: Space or PgDn` : '↑ PgUp';
  return [...lines.slice(from, from + rows - 1), style.yellow(more)];
}

/** The first of ever shorter lines that fits; every deciding key is in each of them. */
const KEYS: readonly string[] = [
  '↑↓ choose  a approve  e edit  s set one value  r reject  q quit',
  '↑↓ choose  a approve  e edit  s set  r reject  q quit',
  'a approve e edit s set r reject q quit',
];

function drawFoot(
  { prompt, note }: InboxState,
  { style, width, height }: Pick<Canvas, 'style' | 'width' | 'height'>,
): readonly string[] {
  const tones = { good: style.green, bad: style.red, plain: style.yellow };
  const said = note === undefined ? [''] : drawNote(note, { width, height }).map(tones[note.tone]);
  if (prompt === undefined) {
    const keys = KEYS.find((line) => displayWidth(line) <= width) ?? KEYS.at(-1) ?? '';
    return [...said, style.dim(fit(keys, width))];
  }
  if (prompt.purpose === 'gone') {
    const text = 'It is over, so nothing is sent. Enter or Esc goes on.';
    return [...said, style.bold(fit(text, width))];
  }
  const [label, hint] =
    prompt.purpose === 'reject'
      ? ['Reject, because', '  Enter sends, Esc cancels']
      : ['Set (such as text=hello)', '  Enter keeps it, Esc cancels'];
  // A line that wraps would push the head off the screen, so of a long text the end is shown.
  const room = width - displayWidth(label) - ': █'.length - 1;
  const typed = fitEnd(visible(prompt.text), room);
  const rest = displayWidth(typed) + hint.length <= room ? style.dim(hint) : '';
  return [...said, `${style.bold(label)}: ${typed}█${rest}`];
}

/** What was said last, on as many lines as it needs, but at most a third of the screen. */
function drawNote(
  { text, hints = [] }: Note,
  { width, height }: Pick<Canvas, 'width' | 'height'>,
): readonly string[] {
  const lines = [text, ...hints.map((hint) => `→ ${hint}`)].flatMap((line) =>
    wrapWords(visible(line), width),
  );
  const most = Math.max(1, Math.floor(height / 3));
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), fit(lines.slice(most - 1).join(' '), width)];
}

/** The end of a text that fits, after `…` where something is left out. */
function fitEnd(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const characters = Array.from(text);
  while (characters.length > 0 && displayWidth(characters.join('')) >= width) characters.shift();
  return `…${characters.join('')}`;
}
