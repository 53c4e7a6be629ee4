import { canonicalJson, type JsonValue, sameJson } from '@proffer/core/json';
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { firstGap, type Stretch, scaled, seenHeight, withStretch } from './coverage.js';

// What was shown in full stays so when one comes back to it.
const shown = new Set<string>();

/** A tab may stay open for weeks, so only the latest cards are remembered. */
const MOST_SHOWN = 1_000;

/** Pixels of what was read already that stay in sight when reading on. */
const OVERLAP = 32;

/** The share that is said while anything has not been in sight. */
const MOST_UNSEEN = 0.99;

interface Part {
  readonly width: number;
  readonly height: number;
  readonly seen: readonly Stretch[];
}

/** The content of each section of a card, by its `data-section`. */
export type Sections = Readonly<Record<string, JsonValue>>;

export interface SeenOptions {
  /**
   * What is shown. A section whose content changes has to be shown again, the others do not: something that arrives
   * late must not undo what was already read. What is in no section is shown again after any change.
   */
  readonly what: Sections;
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
  const before = useRef<Sections>({});
  const name = useMemo(() => canonicalJson(what), [what]);
  useLayoutEffect(() => {
    parts.current = afterChange(parts.current, before.current, what);
    before.current = what;
    // Not all of it: what is new has not been measured yet.
    setShare(shown.has(name) ? 1 : Math.min(MOST_UNSEEN, shareOf([...parts.current.values()])));
    const [outer, inner] = [box.current, text.current];
    if (outer === null || inner === null || !isReady || shown.has(name)) return undefined;
    let frame = 0;
    let isAskedAgain = false;
    const look = (): void => {
      frame = 0;
      if (isAskedAgain) lookSoon();
      if (shown.has(name) || outer.clientHeight === 0 || document.visibilityState !== 'visible') return;
      parts.current = measure(outer, inner, parts.current);
      const now = shareOf([...parts.current.values()]);
      if (now === 1) remember(name);
      setShare(now);
    };
    const lookSoon = (): void => {
      isAskedAgain = frame !== 0;
      // Not put off: where something moves in every frame, the look would never come.
      if (isAskedAgain) return;
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
  }, [name, isReady]);

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

function remember(name: string): void {
  shown.add(name);
  const [oldest = ''] = shown;
  if (shown.size > MOST_SHOWN) shown.delete(oldest);
}

/** What was in sight, without the parts that are no longer what they were. */
function afterChange(
  parts: ReadonlyMap<Element, Part>,
  before: Sections,
  after: Sections,
): Map<Element, Part> {
  const isSame = (element: Element): boolean => {
    const section = element.closest('[data-section]')?.getAttribute('data-section') ?? '';
    return before[section] !== undefined && sameJson(before[section], after[section]);
  };
  return new Map(
    [...parts].map(([element, part]) => [element, isSame(element) ? part : { ...part, seen: [] }]),
  );
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
  if (parts.length === 0) return 0;
  if (parts.every(({ seen, height }) => firstGap(seen, height) === undefined)) return 1;
  const all = parts.reduce((sum, { height }) => sum + height, 0);
  const seen = parts.reduce((sum, part) => sum + seenHeight(part.seen, part.height), 0);
  return Math.min(MOST_UNSEEN, seen / all);
}
