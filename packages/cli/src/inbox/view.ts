import { approvalProgress } from '@proffer/core/approvals';
import { argumentOrder, riskOf, warnings } from '../display/card.js';
import { briefArguments, visibleName, whoAsksBriefly } from '../display/operation.js';
import type { ProposalView } from '../proposals/proposal-view.js';
import { displayWidth, fit, formatSpan, pad, visible } from '../terminal/visible.js';
import { drawDetails, type ShownDetails } from './details.js';
import { drawFooter } from './footer.js';
import { type Canvas, type InboxState, listedIn } from './state.js';

/** A screen, and the visible part of the details. */
interface Screen {
  readonly lines: readonly string[];
  readonly details?: ShownDetails;
}

/** The whole screen, as exactly as many lines as it has. Pure. */
export function drawInbox(state: InboxState, canvas: Canvas): Screen {
  const { height, width, style, elsewhere = [] } = canvas;
  const footer = drawFooter(state, canvas);
  const rest = elsewhere.map((line) => style.yellow(fit(visible(line), width)));
  const head = [drawHead(state, canvas), ...rest, style.dim('─'.repeat(width))];
  const room = height - head.length - footer.length;
  if (state.isHelpOpen)
    return { lines: [...filled([...head, ...drawHelp(canvas, room)], height - footer.length), ...footer] };
  const wanted = Math.min(listedIn(state).length, Math.max(1, Math.floor((room - 1) / 3)));
  const list = drawList(state, canvas, Math.max(1, wanted));
  const details = drawDetails(state, canvas, Math.max(0, room - 1 - list.length));
  const lines = [...head, ...list, drawPlace(state, canvas), ...details.lines];
  return { lines: [...filled(lines, height - footer.length), ...footer], details };
}

function filled(lines: readonly string[], height: number): readonly string[] {
  const missing = Math.max(0, height - lines.length);
  return [...lines, ...Array.from({ length: missing }, () => '')].slice(0, height);
}

/** The first of ever shorter lines that fits. Each of them has the state of the connection. */
function drawHead({ proposals, more, connected }: InboxState, { style, title, width }: Canvas): string {
  const line = connected ? style.green('● live') : style.red('○ connection lost; retrying');
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

function drawList(state: InboxState, canvas: Canvas, rows: number): readonly string[] {
  const { style, width } = canvas;
  const listed = listedIn(state);
  if (listed.length === 0) {
    const text =
      state.search === ''
        ? 'Nothing is waiting for a decision. New calls appear here automatically.'
        : `Nothing matches ${JSON.stringify(state.search)}. Press Esc to show all.`;
    return [style.dim(fit(visible(text), width))];
  }
  const place = placeIn(state);
  const first = Math.max(0, Math.min(place - Math.floor(rows / 2), listed.length - rows));
  return listed.slice(first, first + rows).map((proposal) => {
    const text = fit(row(proposal, state, canvas), width - 2);
    return proposal.id === state.selected ? style.inverse(pad(`› ${text}`, width)) : `  ${text}`;
  });
}

/** A rule across the screen with the position of the selection. */
function drawPlace(state: InboxState, { style, width }: Canvas): string {
  const { search, proposals, more } = state;
  const listed = listedIn(state);
  const all = proposals.length + more;
  const number = search === '' ? all : listed.length;
  const matching = search === '' ? '' : ` matching ${JSON.stringify(search)}`;
  const text = listed.length === 0 ? '' : ` ${placeIn(state) + 1} of ${number}${matching} `;
  const label = fit(visible(text), Math.max(0, width - 4));
  return style.dim(`──${label}${'─'.repeat(Math.max(0, width - 2 - displayWidth(label)))}`);
}

function placeIn(state: InboxState): number {
  return Math.max(
    0,
    listedIn(state).findIndex(({ id }) => id === state.selected),
  );
}

/** The maximum width of the proposer: the call itself has to be visible, too. */
const WIDEST_NAME = 40;

const RISK_MARKS = { low: '○', some: '◐', high: '●' };

/** How much time is left to decide; without a deadline, how long ago it was proposed. */
function timeOf({ expiresAt, proposedAt }: ProposalView, now: number): string {
  return expiresAt === undefined
    ? `${formatSpan(now - proposedAt)} ago`
    : `${formatSpan(expiresAt - now)} left`;
}

function row(proposal: ProposalView, { drafts }: InboxState, { now, members, whyNot }: Canvas): string {
  const { id, rejections } = proposal;
  const progress = approvalProgress(proposal);
  const marks = [
    ...(progress === undefined ? [] : [`${progress.given}/${progress.needed} `]),
    ...(drafts.has(id) ? ['✎ '] : []),
    ...(Object.keys(rejections).length > 0 ? ['✗ '] : []),
    ...(whyNot?.(proposal, drafts.get(id)) === undefined ? [] : ['⊘ ']),
    ...(warnings(proposal, members).length > 0 ? ['! '] : []),
  ].join('');
  const risk = riskOf(proposal, members);
  const mark = risk === undefined ? ' ' : RISK_MARKS[risk.level];
  const given = briefArguments(proposal, argumentOrder(proposal, members));
  const from = pad(fit(whoAsksBriefly(proposal), WIDEST_NAME), 12);
  return `${pad(timeOf(proposal, now), 10)} ${mark} ${from} ${marks}${visibleName(proposal)}  ${given}`;
}

const HELP: readonly string[] = [
  '↑ ↓  j k       previous, next',
  'Home End  g G  first, last',
  'Space  PgDn    read on      PgUp  b  read back',
  '/              search by who asks, tool, id or argument; Esc shows all',
  'a              approve, once all of the call has been shown',
  'h              allow the same for an hour, five times or this session; this call still needs a decision',
  'B              show all calls like this one together, to approve them at once',
  'e              edit the arguments in $EDITOR, then a',
  's              set one argument: name=value; +name=value adds one',
  'c              offer your changes to the proposer, who may accept them',
  'r              reject, with a reason',
  'v              reveal hidden values, which is recorded; hide them again',
  'd  D           let someone review this, or everything, in your place',
  'Esc            drop your changes',
  'q              quit',
  '',
  '○ only reads   ◐ may change something   ● may destroy data',
  '✎ you changed it   ✗ someone rejected it',
  '! it cannot run now   ⊘ you may not approve it',
];

/** Every key and every mark. */
function drawHelp({ width }: Pick<Canvas, 'width'>, rows: number): readonly string[] {
  return HELP.slice(0, rows).map((line) => fit(line, width));
}
