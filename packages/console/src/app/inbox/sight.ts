import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

/** The current contents of a list. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  /** Where each item begins, in pixels, and where the last one ends. */
  readonly tops: Float64Array;
  readonly keyOf: (item: Item) => string;
  /** The index of the item to keep visible; -1 for none. */
  readonly selected: number;
}

/** The visible part of a list, in pixels. */
interface View {
  readonly top: number;
  readonly height: number;
}

/**
 * Tracks the visible part of a list, and scrolls it: visible items stay in place when something above them
 * comes or goes, and a newly selected item is scrolled into view.
 *
 * An effect outlives the render that created it, and keeps everything in its scope alive. Here that is only
 * the `Sight`; created in a component, the same effects would keep lists that were replaced long ago.
 */
export function useSight<Item>(listed: Listed<Item>): {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly view: View;
} {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>({ top: 0, height: 800 });
  const sight = useMemo(() => new Sight<Item>(box, setView), []);
  sight.listed = listed;
  const selected = listed.items[listed.selected];
  useEffect(() => sight.follow(), []);
  useLayoutEffect(() => sight.stay(), [listed.items]);
  useLayoutEffect(() => sight.showSelected(), [selected === undefined ? '' : listed.keyOf(selected)]);
  return { box, view };
}

class Sight<Item> {
  readonly #box: RefObject<HTMLDivElement | null>;
  readonly #onView: (view: View) => void;
  /** The first visible item, how much of it is above the visible part, and how far the list was scrolled then. */
  #anchor: { readonly item: Item; readonly hidden: number; readonly top: number } | undefined;
  /** What was drawn last. */
  listed: Listed<Item> = { items: [], tops: new Float64Array(1), keyOf: String, selected: -1 };

  constructor(box: RefObject<HTMLDivElement | null>, onView: (view: View) => void) {
    this.#box = box;
    this.#onView = onView;
  }

  /** Updates after each scroll and resize. Returns how to stop. */
  follow(): (() => void) | undefined {
    const element = this.#box.current;
    if (element === null) return undefined;
    const look = (): void => this.#look(element);
    const sizes = new ResizeObserver(() => requestAnimationFrame(look));
    sizes.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }

  /** Keeps visible items in place. At the top, new items are shown. */
  stay(): void {
    const { listed } = this;
    const element = this.#box.current;
    if (element === null || this.#anchor === undefined || element.scrollTop === 0) return;
    const { item, hidden } = this.#anchor;
    if (isScrolled(element, this.#anchor.top)) return;
    const place = placeOf(listed, item);
    const top = (listed.tops[place] ?? 0) + hidden;
    if (place === -1 || top === element.scrollTop) return;
    element.scrollTop = top;
    this.#look(element);
  }

  showSelected(): void {
    const element = this.#box.current;
    const { tops, selected } = this.listed;
    if (element === null || selected < 0) return;
    const [top, bottom] = [tops[selected] ?? 0, tops[selected + 1] ?? 0];
    // The heading above the first item belongs to it.
    if (top < element.scrollTop) element.scrollTop = selected <= 1 ? 0 : top;
    else if (bottom > element.scrollTop + element.clientHeight)
      element.scrollTop = bottom - element.clientHeight;
  }

  #look({ scrollTop: top, clientHeight: height }: HTMLElement): void {
    const { items, tops } = this.listed;
    const place = placeAt(tops, top);
    const item = items[place];
    this.#anchor = item === undefined ? undefined : { item, hidden: top - (tops[place] ?? 0), top };
    this.#onView({ top, height });
  }
}

/**
 * Whether somebody scrolled since, and the event for it is still to come: then the list must not jump back. A list
 * that became shorter moves its end up by itself.
 */
function isScrolled({ scrollTop, scrollHeight, clientHeight }: HTMLElement, before: number): boolean {
  const isAtEnd = scrollTop + clientHeight >= scrollHeight - 1;
  return scrollTop > before || (scrollTop < before && !isAtEnd);
}

/** The index of an item, or of what has its key now; -1 if it is gone. */
function placeOf<Item>({ items, keyOf }: Listed<Item>, item: Item): number {
  const place = items.indexOf(item);
  if (place !== -1) return place;
  const key = keyOf(item);
  return items.findIndex((other) => keyOf(other) === key);
}

/** The index of the item at a height. */
export function placeAt(tops: Float64Array, height: number): number {
  let low = 0;
  let high = tops.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tops[middle] ?? 0) <= height) low = middle;
    else high = middle - 1;
  }
  return low;
}
