import type { Page } from 'playwright-core';
import type { Benchmark, Measurement } from '../benchmark.js';
import { compareWithFirst } from '../comparison.js';
import { percentile } from '../gateway/driver/cycle-load.js';
import { type Contestant, type Figure, measureInTurns, roundsFor } from '../turns.js';
import { fill, type Pending } from './load.js';
import type { RowTime } from './page/probe.js';
import { openConsoleVenue } from './venue.js';

/** Time from the delivery of a proposal until its row is on the screen. */
export const arrival: Benchmark = {
  name: 'console/arrival',
  about: 'from a proposal’s delivery to its row on the screen, with few and with 10,000 pending',
  async measure({ quick, smoke }): Promise<readonly Measurement[]> {
    const sizes = smoke ? [1, 50] : quick ? [1, 2_000] : [1, 10_000];
    const spaces = sizes.map((size) => `pending-${size}`);
    await using venue = await openConsoleVenue(spaces);
    const contestants: Contestant[] = [];
    for (const [place, size] of sizes.entries()) {
      const space = spaces[place] ?? '';
      const agent = await venue.join('agent', space);
      // A second follower of the space, which does nothing else, tells when it was delivered.
      const follower = await venue.join('other', space, { records: true });
      const delivered = new Map<string, number>();
      follower.on('message', ({ id, kind }) => {
        if (kind.startsWith('mcp.proposal.')) delivered.set(id, performance.timeOrigin + performance.now());
      });
      const pending = await fill(agent, follower, size);
      const page = await venue.open(space);
      await page.locator('.row-item').first().waitFor();
      const count = smoke ? 3 : quick ? 30 : 100;
      contestants.push({
        parameters: { pending: size },
        round: () => arrive(page, pending, delivered, count),
      });
    }
    return compareWithFirst(
      await measureInTurns(contestants, roundsFor({ quick, smoke }, { warmUp: 1, counted: 7 })),
    );
  },
};

/** Each proposal is withdrawn once it was seen, so the list keeps its length. */
async function arrive(
  page: Page,
  pending: Pending,
  delivered: ReadonlyMap<string, number>,
  count: number,
): Promise<readonly Figure[]> {
  const sinceCame = new Float64Array(count);
  const sinceDelivered = new Float64Array(count);
  await page.bringToFront();
  await page.evaluate(() => {
    window.probe.isWatching = true;
  });
  for (let index = 0; index < count; index++) {
    const id = await pending.propose();
    const { came, drawn } = await page.evaluate(seen, id);
    sinceCame[index] = drawn - came;
    sinceDelivered[index] = drawn - (delivered.get(id) ?? Number.NaN);
    await pending.withdraw(id);
    await page.evaluate(gone, id);
  }
  return [
    ...figures('from the page’s frame', sinceCame.sort()),
    ...figures('from the delivery', sinceDelivered.sort()),
  ];
}

/** In the page: waits until a row is on the screen. */
async function seen(id: string): Promise<RowTime> {
  for (;;) {
    const found = window.probe.rows.find((row) => row.id === id);
    if (found !== undefined) return found;
    await new Promise(requestAnimationFrame);
  }
}

/** In the page: waits until a row is gone. */
async function gone(id: string): Promise<void> {
  while (document.querySelector(`#row-${id}`) !== null) await new Promise(requestAnimationFrame);
}

function figures(name: string, sorted: Float64Array): readonly Figure[] {
  return [
    { name: `${name}, p50`, unit: 'ms', value: percentile(sorted, 0.5) },
    { name: `${name}, p99`, unit: 'ms', value: percentile(sorted, 0.99) },
  ];
}
