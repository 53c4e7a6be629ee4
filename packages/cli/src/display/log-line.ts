import type { Message } from '../connection/proposal-view.js';
import type { Shell } from '../terminal/shell.js';
import { tableWidth } from '../terminal/table.js';
import { formatMoment } from '../terminal/time.js';
import { fit, pad } from '../terminal/width.js';
import { describeMessage } from './message-line.js';

/** One message as a line: its seq, when it was accepted, who, what. */
export function logLine(message: Message, shell: Shell): string {
  const { style, now } = shell;
  const { who, what, detail } = describeMessage(message, style);
  const moment = message.time === undefined ? '' : formatMoment(message.time, now());
  const start = `${style.dim(pad(message.seq === undefined ? '·' : String(message.seq), 5))} ${style.dim(pad(moment, 8))}  ${pad(fit(who, 20), 10)} ${pad(what, 9)} `;
  return `${start}${fit(detail, Math.max(20, tableWidth(shell) - 37))}`.trimEnd();
}
