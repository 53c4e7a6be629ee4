import { readAttachedCall } from '@proffer/core/agreement';
import { defined } from '@proffer/core/json';
import { subjectOf } from '@proffer/core/kind';
import { showArguments, visibleName } from '../display/operation.js';
import type { Style } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';

/**
 * The call in the attachment of an offer, in full: who accepts the offer approves exactly this call (N-32). Without a
 * gutter, so that no text of a party can pass for it.
 *
 * @param attachment - base64
 */
export function showAttachedCall(attachment: string, indent: string, style: Style): readonly string[] {
  const read = readAttachedCall(attachment);
  if (read === undefined) return [];
  const mark = `${indent}${style.yellow('▶')} `;
  if (!read.ok) return [`${mark}carries a call that cannot be read: ${visible(read.refusal.message)}`];
  const call = read.value;
  const space = visible(call.space);
  if (call.proposal !== undefined) {
    const { proposal, digest } = call;
    return [
      `${mark}If accepted: the call of the proposal ${style.bold(visible(proposal))} in the space ${space}`,
      `${indent}    ${style.dim(`digest  ${visible(digest)}`)}`,
    ];
  }
  const { method, params, executor } = call;
  const subject = subjectOf(method, params);
  const runsOn = executor === undefined ? '' : `, on ${visible(executor)}`;
  const where = style.dim(`(${visible(method)} in the space ${space}${runsOn})`);
  return [
    `${mark}If accepted: ${style.bold(visibleName({ method, ...defined({ subject }) }))}  ${where}`,
    ...showArguments({ method, ...defined({ params }) }, style, { indent: `${indent}    ` }),
  ];
}
