import type { Message } from '../connection/proposal-view.js';
import type { Shell } from '../terminal/shell.js';
import { tableWidth } from '../terminal/table.js';
import { formatMoment } from '../terminal/time.js';
import { fit, pad } from '../terminal/width.js';
import { describeMessage, type Line } from './message-line.js';
import { describeRuledCall, ruledCalls } from './ruled-calls.js';

/**
 * One message as a line: its seq, when it was accepted, who, what. A line for each decision, where a guard
 * tells of several that it made by its rules.
 */
export function logLine(message: Message, shell: Shell): string {
  const { style } = shell;
  const decided = ruledCalls(message).map((call) => describeRuledCall(message.from, call, style));
  const lines = decided.length === 0 ? [describeMessage(message, style)] : decided;
  return lines.map((line) => oneLine(message, line, shell)).join('\n');
}

function oneLine({ seq, time }: Message, { who, what, detail }: Line, shell: Shell): string {
  const { style, now } = shell;
  const moment = time === undefined ? '' : formatMoment(time, now());
  const start = `${style.dim(pad(seq === undefined ? '·' : String(seq), 5))} ${style.dim(pad(moment, 8))}  ${pad(fit(who, 20), 10)} ${pad(what, 9)} `;
  return `${start}${fit(detail, Math.max(20, tableWidth(shell) - 37))}`.trimEnd();
}
