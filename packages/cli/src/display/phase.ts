import { describeState, type Stated } from '@proffer/core/words';
import type { Style } from '../terminal/shell.js';

const COLOURS = { good: 'green', bad: 'red', plain: 'cyan' } as const;

/** The state of a proposal in a word or two, in its colour. */
export function phaseWord(proposal: Stated, style: Style): string {
  const { word, tone } = describeState(proposal);
  return style[COLOURS[tone]](word);
}
