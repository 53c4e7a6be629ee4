import type { HandoffProjection, HandoffView } from '@proffer/core/negotiation';
import type { Style } from '../../terminal/shell.js';
import { visible, visibleLine } from '../../terminal/visible.js';
import { showContent, together } from '../view-parts.js';

/** A handoff: who holds the responsibility, and every offer with what it hands over. */
export function showHandoff(projection: HandoffProjection, style: Style): readonly string[] {
  const { holder = '', offers } = projection;
  return [
    `  ${style.cyan('●')} ${style.bold(visible(holder))} holds it${waiting(projection, style)}`,
    ...[...offers.values()].flatMap((offer) => showOffer(offer, style)),
  ];
}

/** Accepting alone hands nothing over. */
function waiting(projection: HandoffProjection, style: Style): string {
  const accepted = projection.acceptedOffer();
  if (accepted === undefined || projection.isCommitted) return '';
  return style.dim(` until the handoff to ${visible(accepted.target)} is committed`);
}

function showOffer(
  { handoffId, target, scope, reason, disposition, answer = '', context }: HandoffView,
  style: Style,
): readonly string[] {
  const word = WORDS[disposition](style);
  return [
    `  ${style.bold(visible(handoffId))}  to ${visible(target)}  ${word}  ${together(scope, reason)}`.trimEnd(),
    ...(answer === '' ? [] : [`    ${visible(target)}: ${visibleLine(answer)}`]),
    ...context.flatMap(({ content_type, context: content }) => [
      style.dim(`    hands over ${visible(content_type || 'a content without a type')}:`),
      ...showContent(content, '    │ ', style),
    ]),
  ];
}

const WORDS: Readonly<Record<HandoffView['disposition'], (style: Style) => string>> = {
  offered: ({ yellow }) => yellow('offered'),
  accepted: ({ green }) => green('accepted'),
  declined: ({ red }) => red('declined'),
};
