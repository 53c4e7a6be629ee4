import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

// What was shown to its end stays so when one comes back to it.
const shown = new Set<string>();

/** Pixels by which the end may be missed: browsers round. */
const SLACK = 4;

/**
 * How much of what scrolls in an element has been shown: 1 when its end was in sight.
 *
 * @param what - names what is shown; with another name it begins anew
 */
export function useSeen(box: RefObject<HTMLElement | null>, what: string): number {
  const [share, setShare] = useState(shown.has(what) ? 1 : 0);
  useEffect(() => {
    const element = box.current;
    if (element === null || shown.has(what)) {
      setShare(shown.has(what) ? 1 : 0);
      return undefined;
    }
    let furthest = 0;
    const look = (): void => {
      // What grows afterwards, such as the answer or the editor, is not what was to be read.
      if (shown.has(what)) return;
      if (element.clientHeight === 0 || document.visibilityState !== 'visible') return;
      furthest = Math.max(furthest, element.scrollTop + element.clientHeight);
      const now = furthest >= element.scrollHeight - SLACK ? 1 : furthest / element.scrollHeight;
      if (now === 1) shown.add(what);
      setShare(now);
    };
    // In a frame of its own: what it changes may change sizes again.
    const sizes = new ResizeObserver(() => requestAnimationFrame(look));
    sizes.observe(element);
    for (const child of element.children) sizes.observe(child);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [what]);
  return share;
}
