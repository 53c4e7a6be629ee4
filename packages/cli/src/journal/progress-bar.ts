import { count } from '@proffer/core/words';
import type { Screen } from '../terminal/shell.js';

export interface ProgressBar {
  readonly reach: (done: number, total: number) => void;
  readonly clear: () => void;
}

const BAR = 30;

/** Shows how many of the records are checked; on a terminal only. */
export function progressBar(screen: Screen): ProgressBar {
  let shown = 0;
  if (screen.isTTY !== true) return { reach() {}, clear() {} };
  return {
    reach(done, total) {
      const percent = Math.floor((100 * done) / Math.max(1, total));
      if (percent === shown) return;
      shown = percent;
      const full = Math.round((BAR * percent) / 100);
      const bar = '█'.repeat(full) + '░'.repeat(BAR - full);
      screen.write(`\r${bar} ${percent} % of ${count(total, 'record')} checked`);
    },
    clear() {
      if (shown > 0) screen.write('\r\u001b[K');
      shown = 0;
    },
  };
}
