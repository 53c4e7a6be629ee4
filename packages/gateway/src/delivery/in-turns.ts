/** How many per turn of the event loop. A message takes a few turns, and writing to a socket takes time. */
const AT_ONCE = 32;

/**
 * Runs something for each of many without delaying others (I-7): the first ones at once, so that small
 * numbers are done when this returns, and the rest in turns of the event loop.
 */
export async function inTurns<Item>(items: readonly Item[], visit: (item: Item) => void): Promise<void> {
  for (let done = 0; done < items.length; done++) {
    if (done > 0 && done % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    visit(items[done] as Item);
  }
}
