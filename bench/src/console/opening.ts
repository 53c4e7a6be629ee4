import type { Benchmark, Measurement } from '../benchmark.js';
import { compareWithFirst, type Samples } from '../comparison.js';
import { roundsFor } from '../turns.js';
import { inspect } from './browser.js';
import { fill } from './load.js';
import { type ConsoleVenue, openConsoleVenue } from './venue.js';

/** What the browser loads for the inbox, and how long that takes with an empty cache. */
export const opening: Benchmark = {
  name: 'console/opening',
  about: 'the inbox on a cold cache: bytes of script, and time until it is usable',
  async measure({ quick, smoke }): Promise<readonly Measurement[]> {
    await using venue = await openConsoleVenue(['main']);
    const [agent, remarker] = [await venue.join('agent', 'main'), await venue.join('other', 'main')];
    await agent.serve([]);
    await fill(agent, remarker, 20);
    const { warmUp, counted } = roundsFor({ quick, smoke }, { warmUp: 1, counted: 15 });
    const found: Opened[] = [];
    for (let round = 0; round < warmUp + counted; round++) {
      const one = await openOnce(venue);
      if (round >= warmUp) found.push(one);
    }
    const samples = (name: string, unit: string, of: (one: Opened) => number): Samples => ({
      name,
      unit,
      parameters: {},
      samples: found.map(of),
    });
    return compareWithFirst([
      samples('script, compressed', 'kB', ({ script }) => script / 1000),
      samples('everything, compressed', 'kB', ({ all }) => all / 1000),
      samples('until one can sign in', 'ms', ({ signIn }) => signIn),
      samples('until the inbox can be used', 'ms', ({ inbox }) => inbox),
    ]);
  },
};

interface Opened {
  /** Bytes on the wire. */
  readonly script: number;
  readonly all: number;
  /** Milliseconds from navigation until a key press or click takes effect. */
  readonly signIn: number;
  readonly inbox: number;
}

const LOADED = `(() => {
  const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  const sum = (some) => some.reduce((size, { encodedBodySize }) => size + encodedBodySize, 0);
  return { script: sum(entries.filter(({ name }) => /\\.js$/.test(name))), all: sum(entries) };
})()`;

/** Milliseconds from the start of navigation until a frame with the wanted element was drawn. */
const until = (selector: string): string => `new Promise((resolve) => {
  const look = () => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now()), 0));
  };
  look();
})`;

async function openOnce(venue: ConsoleVenue): Promise<Opened> {
  const page = await venue.visit('main');
  const signIn = (await page.evaluate(until('.sign-in button'))) as number;
  await page.getByRole('button', { name: 'reviewer' }).click();
  await page.locator('.card .heading').waitFor();
  // A signed-in user returns with an empty cache.
  const inspector = await inspect(page);
  await inspector.send('Network.clearBrowserCache');
  await inspector.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.reload({ waitUntil: 'commit' });
  // The card is open and its action bar listens to keys.
  const inbox = (await page.evaluate(until('.card-pane .bar #bar-note'))) as number;
  const { script, all } = (await page.evaluate(LOADED)) as Pick<Opened, 'script' | 'all'>;
  await page.context().close();
  return { script, all, signIn, inbox };
}
