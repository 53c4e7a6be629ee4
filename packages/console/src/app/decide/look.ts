import { gestureVerdict, LOOK_FIRST, UNDECIDED } from '@proffer/core/gesture';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { sayKey } from '../keys/key-note.js';

/** Whether the reader has had time to look at what is shown. */
export interface Look {
  readonly isOver: boolean;
  /** True if a gesture decides now; otherwise says why not. */
  readonly decides: (gesture?: { readonly isRepeat?: boolean }) => boolean;
}

/**
 * Watches how long something has been shown unchanged.
 *
 * @param shown - what is shown; a change starts the time again
 */
export function useLook(shown: string): Look {
  const seen = useRef({ shown: '', at: 0 });
  const [looked, setLooked] = useState('');
  if (seen.current.shown !== shown) seen.current = { shown, at: performance.now() };
  useLayoutEffect(() => {
    // The time counts from when it is on the screen.
    seen.current = { shown, at: performance.now() };
    const timer = setTimeout(() => setLooked(shown), LOOK_FIRST);
    return () => clearTimeout(timer);
  }, [shown]);
  return {
    isOver: looked === shown,
    decides: ({ isRepeat = false } = {}) => {
      const verdict = gestureVerdict({ now: performance.now(), shownAt: seen.current.at, isRepeat });
      if (verdict !== 'decides') sayKey(UNDECIDED[verdict]);
      return verdict === 'decides';
    },
  };
}
