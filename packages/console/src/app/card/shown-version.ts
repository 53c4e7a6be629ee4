import { canonicalJson, type JsonValue, sameJson } from '@proffer/core/json';
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

// What was shown in full stays so when the reader comes back.
const shown = new Set<string>();

/** A tab may stay open for weeks, so only the latest cards are remembered. */
const MAX_SHOWN = 1_000;

/** Pixels of overlap when scrolling on. */
const OVERLAP = 32;

/** The share shown while anything has not been visible. */
const MAX_UNSEEN = 0.99;

interface Part {
  readonly width: number;
  readonly height: number;
  readonly seen: readonly Stretch[];
}

/** The content of each section of a card, by its `data-section`. */
export type Sections = Readonly<Record<string, JsonValue>>;

export interface SeenOptions {
  /**
   * What is shown. A section whose content changes has to be shown again, the others do not: something that
   * arrives late must not undo what was already read. Content outside of sections is shown again after any
   * change.
   */
  readonly what: Sections;
  /** False while something that must be shown is still loading, or is covered. */
  readonly isReady: boolean;
}

interface Seen {
  /** How much has been shown: 1 when every part was visible. */
  readonly share: number;
  /** Scrolls to the first part that has not been visible. */
  readonly readOn: () => void;
}

/**
 * How much of the required text has been visible. Jumping over a part does not count as reading it.
 *
 * @param box - the scroll container
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
    // Less than all: what is new has not been measured yet.
    setShare(shown.has(name) ? 1 : Math.min(MAX_UNSEEN, shareOf([...parts.current.values()])));
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
      // Not debounced: if something moves in every frame, it would never run.
      if (isAskedAgain) return;
      // Pieces of a long text are laid out in the frame in which they become visible; the next frame counts.
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
  if (shown.size > MAX_SHOWN) shown.delete(oldest);
}

/** The visible ranges, without the parts that have changed. */
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

/** The visible ranges of each part, including the current view. */
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

/** The parts to read, each measured separately: what is not laid out yet must not move the others. */
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
  return Math.min(MAX_UNSEEN, seen / all);
}

/** A stretch of a part of the page, in pixels from its top. */
export type Stretch = readonly [from: number, to: number];

/** Pixels that may be missing: browsers round. */
const SLACK = 4;

/** The visible ranges plus one more; sorted, and merged where they touch. */
export function withStretch(seen: readonly Stretch[], [from, to]: Stretch): readonly Stretch[] {
  if (to <= from) return seen;
  const apart = seen.filter(([start, end]) => end < from || start > to);
  const touching = seen.filter((stretch) => !apart.includes(stretch));
  const joined: Stretch = [
    Math.min(from, ...touching.map(([start]) => start)),
    Math.max(to, ...touching.map(([, end]) => end)),
  ];
  return [...apart, joined].sort(([left], [right]) => left - right);
}

/** The ranges after the part changed its height, for example when the window is resized. */
export function scaled(seen: readonly Stretch[], by: number): readonly Stretch[] {
  return seen.map(([from, to]) => [from * by, to * by]);
}

/** The start of the first range that was never visible; `undefined` if all of it was. */
export function firstGap(seen: readonly Stretch[], height: number): number | undefined {
  let end = 0;
  for (const [from, to] of seen) {
    if (from > end + SLACK) break;
    end = to;
  }
  return end >= height - SLACK ? undefined : end;
}

/** How many pixels were visible. */
export function seenHeight(seen: readonly Stretch[], height: number): number {
  if (firstGap(seen, height) === undefined) return height;
  return seen.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, height) - from), 0);
}
