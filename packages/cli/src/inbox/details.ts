import { diffJson } from '@proffer/core/json';
import { hideSecrets } from '@proffer/core/secrets';
import { describeStanding, describeStatus, quoteReason } from '@proffer/core/words';
import { argumentOrder, riskOf, runsOn, showRisk, warnings } from '../display/card.js';
import { showChanges, showCounters } from '../display/changes.js';
import { becauseOf, showArguments, visibleName, whoAsks } from '../display/operation.js';
import type { Style } from '../terminal/shell.js';
import { formatSpan, visible, visibleLine, voiceAt, wrapLine } from '../terminal/visible.js';
import { batchLines } from './batch.js';
import { type Canvas, type InboxState, type ShownLines, selectedIn } from './state.js';

/** A part of the details, and which of all lines they are. */
export type ShownDetails = ShownLines & { readonly lines: readonly string[] };

/**
 * What is under the cursor, in the available rows. What runs comes first, without omissions: the reader
 * scrolls through what does not fit.
 */
export function drawDetails(state: InboxState, canvas: Canvas, rows: number): ShownDetails {
  const lines = state.batch === undefined ? detailLines(state, canvas) : batchLines(state, canvas);
  const total = lines.length;
  const { width } = canvas;
  if (total <= rows) return { lines, from: 0, to: total, total, page: rows, width };
  if (rows < 1) return { lines: [], from: 0, to: 0, total, page: 1, width };
  const page = Math.max(1, rows - 1);
  const from = Math.min(state.scroll, total - page);
  const to = from + page;
  const more = total > to ? `↓ ${total - to} more: Space` : '↑ PgUp';
  return { lines: [...lines.slice(from, to), canvas.style.yellow(more)], from, to, total, page, width };
}

const RISK_COLOURS = {
  low: (text: string, { green }: Style) => green(text),
  some: (text: string, { yellow }: Style) => yellow(text),
  high: (text: string, { red }: Style) => red(text),
};

const HIDDEN = 'What looks like a secret is hidden. v reveals it, and this is recorded.';
const REVEALED = 'You revealed the hidden values. This is recorded. v hides them again.';

function detailLines(state: InboxState, { style, width, now, members, whyNot }: Canvas): readonly string[] {
  const proposal = selectedIn(state);
  if (proposal === undefined) return [];
  const { id, method, expiresAt, rejections, statuses } = proposal;
  const draft = state.drafts.get(id);
  const runs = runsOn(proposal, members, style);
  const forbidden = whyNot?.(proposal, draft);
  const isRevealed = state.revealed === id;
  const voice = voiceAt(now, isRevealed);
  const expires = expiresAt === undefined ? '' : `, ${formatSpan(expiresAt - now)} left`;
  return [
    `${whoAsks(proposal)} proposes ${style.bold(visibleName(proposal, isRevealed))} ${style.dim(`${visible(method)} · ${visible(id)}${expires}`)}`,
    ...showRisk(proposal, members).map((text) =>
      RISK_COLOURS[riskOf(proposal, members)?.level ?? 'some'](text, style),
    ),
    ...becauseOf(state.reasons.get(id), isRevealed),
    ...showArguments(proposal, style, {
      indent: '  ',
      order: argumentOrder(proposal, members),
      isRevealed,
    }),
    ...(hideSecrets(proposal.params ?? {}).hasSecrets ? [style.yellow(isRevealed ? REVEALED : HIDDEN)] : []),
    ...(draft === undefined
      ? []
      : [
          style.yellow('Your changes (a approves with them, Esc discards them):'),
          ...showChanges(diffJson(proposal.params, draft), style, { indent: '  ', isRevealed }),
        ]),
    ...(runs === undefined ? [] : [`${style.dim('runs on')} ${runs}`]),
    ...describeStanding(proposal, now, voice).map((text) => style.cyan(`◔ ${text}`)),
    ...showCounters(proposal, style, isRevealed),
    ...(forbidden === undefined ? [] : [style.red(`⊘ You may not approve this: ${visible(forbidden)}.`)]),
    ...warnings(proposal, members).map((text) => style.yellow(`! ${visibleLine(text, isRevealed)}`)),
    ...Object.entries(rejections).map(
      ([name, said]) => `${style.red('✗')} ${visible(name)} rejected this call: ${quoteReason(said, voice)}`,
    ),
    ...Object.entries(statuses).map(
      ([name, { status, message = '' }]) =>
        `· ${visible(name)} ${describeStatus(status, voice)}${message === '' ? '' : `: ${visibleLine(message, isRevealed)}`}`,
    ),
  ].flatMap((line) => wrapLine(line, width));
}
