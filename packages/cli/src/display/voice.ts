import type { Voice } from '@proffer/core/words';
import { formatMoment, formatSpan } from '../terminal/time.js';
import { visible, visibleLine } from '../terminal/visible.js';

/** How the command line writes what is not ours. */
export function voiceAt(now: number): Voice {
  return {
    name: visible,
    text: visibleLine,
    span: formatSpan,
    moment: (time) => formatMoment(time, now),
  };
}
