import type { LoggedMessage } from '../../proposals/proposal-view.js';
import type { Shell } from '../../terminal/shell.js';
import { tableWidth } from '../../terminal/table.js';
import { fit, formatMoment, pad } from '../../terminal/visible.js';
import { describeRuledCall, describeWatchedCalls, numberedCalls } from '../ruled-calls.js';
import { describeMessage, type MessageLine } from './message-line.js';

/**
 * One message as a line: its seq, when it was accepted, who, what. If a guard reports several decisions that it made by
 * its rules, there is a line for each, numbered after the seq, such as `38.2`.
 */
export function logLine(message: LoggedMessage, shell: Shell): string {
  const { style } = shell;
  const { seq } = message;
  const decided = numberedCalls(message).map(({ number, call }) => ({
    number,
    line: describeRuledCall(message.from, call, style),
  }));
  const alone = { number: seq === undefined ? '·' : String(seq), line: describeMessage(message, style) };
  const watched = describeWatchedCalls(message, style).map((line) => ({ number: alone.number, line }));
  const lines = decided.length + watched.length === 0 ? [alone] : [...decided, ...watched];
  return lines.map(({ number, line }) => oneLine({ ...message, number }, line, shell)).join('\n');
}

function oneLine(
  { number, time }: Pick<LoggedMessage, 'time'> & { readonly number: string },
  { who, what, detail }: MessageLine,
  shell: Shell,
): string {
  const { style, now } = shell;
  const moment = time === undefined ? '' : formatMoment(time, now());
  const start = `${style.dim(pad(number, 5))} ${style.dim(pad(moment, 8))}  ${pad(fit(who, 20), 10)} ${pad(what, 9)} `;
  return `${start}${fit(detail, Math.max(20, tableWidth(shell) - 37))}`.trimEnd();
}
