import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { placeAt, useSight } from './sight.js';

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  /** In pixels; must not change for an item. */
  readonly heightOf: (item: Item) => number;
  readonly draw: (item: Item, place: number) => ComponentChildren;
  readonly keyOf: (item: Item) => string;
  /** The index of the item to keep visible; -1 for none. */
  readonly selected: number;
  readonly label: string;
  readonly active: string | undefined;
}

/** Pixels above and below the visible part that are drawn too. */
const MARGIN = 400;

/** A list of any length that renders only the visible part. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { items, heightOf, draw, keyOf, selected } = props;
  const tops = useMemo(() => topsOf(items, heightOf), [items]);
  const { box, view } = useSight({ items, tops, keyOf, selected });
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
      <div class="virtual-all" role="presentation" style={{ height: `${tops.at(-1) ?? 0}px` }}>
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
