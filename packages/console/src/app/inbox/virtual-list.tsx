import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  /** In pixels; must not change for an item. */
  readonly heightOf: (item: Item) => number;
  readonly draw: (item: Item, place: number) => ComponentChildren;
  readonly keyOf: (item: Item) => string;
  /** The place of the item that has to be in sight. */
  readonly selected: number;
  readonly label: string;
  readonly active: string | undefined;
}

/** Pixels above and below what is in sight that are drawn too. */
const MARGIN = 400;

/** A list of any length of which only what is in sight is in the page. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { items, heightOf, draw, keyOf, selected } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const tops = useMemo(() => topsOf(items, heightOf), [items]);
  const total = tops.at(-1) ?? 0;
  const now = useRef({ items, tops });
  now.current = { items, tops };
  /** The first item in sight, and how much of it is above what is in sight. */
  const anchor = useRef<{ readonly item: Item; readonly hidden: number } | undefined>(undefined);
  const look = (element: HTMLElement): void => {
    const { scrollTop: top, clientHeight: height } = element;
    const place = placeAt(now.current.tops, top);
    const item = now.current.items[place];
    anchor.current = item === undefined ? undefined : { item, hidden: top - (now.current.tops[place] ?? 0) };
    setView({ top, height });
  };

  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const lookAgain = (): void => look(element);
    const sizes = new ResizeObserver(() => requestAnimationFrame(lookAgain));
    sizes.observe(element);
    element.addEventListener('scroll', lookAgain, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', lookAgain);
    };
  }, []);

  // What is in sight stays where it is when something above it comes or goes. At the top, what is new is shown.
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || anchor.current === undefined || element.scrollTop === 0) return;
    const { item, hidden } = anchor.current;
    const place = placeOf(items, item, keyOf);
    const top = (tops[place] ?? 0) + hidden;
    if (place === -1 || top === element.scrollTop) return;
    element.scrollTop = top;
    look(element);
  }, [items]);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || selected < 0) return;
    const [top, bottom] = [tops[selected] ?? 0, tops[selected + 1] ?? 0];
    // The heading above the first item belongs to it.
    if (top < element.scrollTop) element.scrollTop = selected <= 1 ? 0 : top;
    else if (bottom > element.scrollTop + element.clientHeight)
      element.scrollTop = bottom - element.clientHeight;
  }, [selected < 0 ? '' : keyOf(items[selected] as Item)]);

  const first = Math.max(0, placeAt(tops, view.top - MARGIN));
  const last = Math.min(items.length, placeAt(tops, view.top + view.height + MARGIN) + 1);
  return (
    <div
      ref={box}
      class="virtual"
      role="listbox"
      tabIndex={0}
      aria-label={props.label}
      aria-activedescendant={props.active}
    >
      <div class="virtual-all" role="presentation" style={{ height: `${total}px` }}>
        {items.slice(first, last).map((item, index) => (
          <div
            key={keyOf(item)}
            role="presentation"
            class="virtual-item"
            style={{ transform: `translateY(${tops[first + index] ?? 0}px)`, height: `${heightOf(item)}px` }}
          >
            {draw(item, first + index)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Where each item begins, and where the last one ends. */
function topsOf<Item>(items: readonly Item[], heightOf: (item: Item) => number): Float64Array {
  const tops = new Float64Array(items.length + 1);
  for (const [place, item] of items.entries()) tops[place + 1] = (tops[place] ?? 0) + heightOf(item);
  return tops;
}

/** The place of an item, or of what is there under its key now; -1 if it is gone. */
function placeOf<Item>(items: readonly Item[], item: Item, keyOf: (item: Item) => string): number {
  const place = items.indexOf(item);
  if (place !== -1) return place;
  const key = keyOf(item);
  return items.findIndex((other) => keyOf(other) === key);
}

/** The place of the item at a height. */
function placeAt(tops: Float64Array, height: number): number {
  let low = 0;
  let high = tops.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tops[middle] ?? 0) <= height) low = middle;
    else high = middle - 1;
  }
  return low;
}
