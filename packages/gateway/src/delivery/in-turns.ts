/** So many in one turn of the event loop. A message has a few turns to go, and writing to a socket takes its time. */
const AT_ONCE = 32;

/**
 * Does something for each of many without holding up everybody else (I-7): the first of them at once, so that
 * few are all done when this returns, and the rest in turns of the event loop.
 */
export async function inTurns<Item>(items: readonly Item[], visit: (item: Item) => void): Promise<void> {
  for (let done = 0; done < items.length; done++) {
    if (done > 0 && done % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    visit(items[done] as Item);
  }
}
