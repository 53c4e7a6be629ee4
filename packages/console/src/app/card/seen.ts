import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { firstGap, type Stretch, scaled, seenHeight, withStretch } from './coverage.js';

// What was shown in full stays so when one comes back to it.
const shown = new Set<string>();

/** Pixels of what was read already that stay in sight when reading on. */
const OVERLAP = 32;

interface Part {
  readonly width: number;
  readonly height: number;
  readonly seen: readonly Stretch[];
}

export interface SeenOptions {
  /** Names what is shown; with another name it begins anew. */
  readonly what: string;
  /** False while something that has to be shown is still loading, or is hidden by something else. */
  readonly isReady: boolean;
}

export interface Seen {
  /** How much has been shown: 1 when every part was in sight. */
  readonly share: number;
  /** Scrolls to the first part that has not been in sight. */
  readonly readOn: () => void;
}

/**
 * How much of what has to be read has been in sight. Jumping over a part does not count as reading it.
 *
 * @param box - what scrolls
 * @param text - what has to be read, inside it
 */
export function useSeen(
  box: RefObject<HTMLElement | null>,
  text: RefObject<HTMLElement | null>,
  { what, isReady }: SeenOptions,
): Seen {
  const [share, setShare] = useState(0);
  const parts = useRef(new Map<Element, Part>());
  useLayoutEffect(() => {
    parts.current = new Map();
    setShare(shown.has(what) ? 1 : 0);
    const [outer, inner] = [box.current, text.current];
    if (outer === null || inner === null || !isReady || shown.has(what)) return undefined;
    let frame = 0;
    const look = (): void => {
      if (shown.has(what) || outer.clientHeight === 0 || document.visibilityState !== 'visible') return;
      parts.current = measure(outer, inner, parts.current);
      const now = shareOf([...parts.current.values()]);
      if (now === 1) shown.add(what);
      setShare(now);
    };
    const lookSoon = (): void => {
      cancelAnimationFrame(frame);
      // Pieces of a long text are laid out in the frame in which they come into sight; what counts is the one after.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(look);
      });
    };
    const sizes = new ResizeObserver(lookSoon);
    sizes.observe(outer);
    sizes.observe(inner);
    outer.addEventListener('scroll', lookSoon, { passive: true });
    document.addEventListener('visibilitychange', lookSoon);
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      outer.removeEventListener('scroll', lookSoon);
      document.removeEventListener('visibilitychange', lookSoon);
    };
  }, [what, isReady]);

  const readOn = (): void => {
    const top = box.current?.getBoundingClientRect().top ?? 0;
    for (const [element, { seen, height }] of parts.current) {
      const gap = firstGap(seen, height);
      if (gap === undefined) continue;
      box.current?.scrollBy({ top: element.getBoundingClientRect().top + gap - top - OVERLAP });
      return;
    }
  };
  return { share, readOn };
}

/** What was in sight of each part, with what is now. */
function measure(box: Element, text: Element, before: ReadonlyMap<Element, Part>): Map<Element, Part> {
  const sight = box.getBoundingClientRect();
  return new Map(
    partsIn(text).map((element) => {
      const { top, width, height } = element.getBoundingClientRect();
      const known = before.get(element);
      const isRewrapped = known !== undefined && known.width !== width && known.height > 0;
      const seen = isRewrapped ? scaled(known.seen, height / known.height) : (known?.seen ?? []);
      const from = Math.max(0, sight.top - top);
      const to = Math.min(height, sight.bottom - top);
      return [element, { width, height, seen: withStretch(seen, [from, to]) }];
    }),
  );
}

/** The parts to be read, each of a height of its own: what is not laid out yet must not move the others. */
function partsIn(element: Element): readonly Element[] {
  return [...element.children].flatMap((child) =>
    child.querySelector('.piece') === null ? [child] : partsIn(child),
  );
}

function shareOf(parts: readonly Part[]): number {
  if (parts.every(({ seen, height }) => firstGap(seen, height) === undefined)) return 1;
  const all = parts.reduce((sum, { height }) => sum + height, 0);
  const seen = parts.reduce((sum, part) => sum + seenHeight(part.seen, part.height), 0);
  return Math.min(0.99, seen / all);
}
