import type { Voice } from '@proffer/core/words';
import { formatMoment, formatSpan, visible, visibleLine } from '../terminal/visible.js';

/** How the command line writes what is not ours; secrets are hidden unless they are revealed. */
export function voiceAt(now: number, isRevealed = false): Voice {
  return {
    name: visible,
    text: (text) => visibleLine(text, isRevealed),
    span: formatSpan,
    moment: (time) => formatMoment(time, now),
  };
}
