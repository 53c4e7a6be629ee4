import type { CDPSession, Page } from 'playwright-core';
import type { Benchmark, Measurement } from '../benchmark.js';
import { compareWithFirst } from '../comparison.js';
import { percentile } from '../gateway/driver/cycle-load.js';
import { heapOf, inspect } from './browser.js';
import { fill, type Pending } from './load.js';
import { traceFrames } from './trace.js';
import { openConsoleVenue } from './venue.js';

const PER_SECOND = 200;
/** So fast, and for so many milliseconds, that most of the list has been replaced before memory is measured. */
const WARM_UP = { perSecond: 1_500, milliseconds: 25_000 };
const MINUTE = 60_000;

/** A list of 10,000 that is scrolled while changes arrive: its frames, and the page's memory in the course of time. */
export const scrolling: Benchmark = {
  name: 'console/scrolling',
  about: 'scrolling 10,000 pending while 200 changes a second arrive: frames, and memory over ten minutes',
  async measure({ quick, smoke, note }): Promise<readonly Measurement[]> {
    await using venue = await openConsoleVenue(['main']);
    const [agent, remarker] = [await venue.join('agent', 'main'), await venue.join('other', 'main')];
    const size = smoke ? 100 : 10_000;
    // Open before anything comes: then all of it is in the page's memory in the same form as what comes later.
    const page = await venue.open('main');
    const pending = await fill(agent, remarker, size);
    await page.locator('.row-item').first().waitFor();
    const inspector = await inspect(page);
    if (!smoke) await pending.change(WARM_UP.perSecond, WARM_UP.milliseconds);
    const work = await traceFrames(inspector, () => scroll(page, pending, smoke ? 500 : 10_000));
    const parameters = { pending: size };
    const minutes: Minute[] = [];
    const heaps = [await heapOf(inspector)];
    for (let minute = 0; minute < (quick ? 1 : 10); minute++) {
      minutes.push(await measureMinute(page, inspector, pending, smoke ? 500 : MINUTE));
      heaps.push(await heapOf(inspector));
    }
    const long = minutes.reduce((sum, each) => sum + each.long, 0);
    note(`frames or tasks over 50 ms, by the clock on the wall: ${long} in ${minutes.length} min`);
    const each = (name: string, unit: string, of: (minute: Minute) => number) => ({
      name,
      unit,
      parameters,
      samples: minutes.map(of),
    });
    return compareWithFirst([
      { name: 'work for a frame, p50', unit: 'ms', parameters, samples: [percentile(work, 0.5)] },
      { name: 'work for a frame, p99', unit: 'ms', parameters, samples: [percentile(work, 0.99)] },
      { name: 'work for a frame, most', unit: 'ms', parameters, samples: [percentile(work, 1)] },
      each('main thread, busy', '%', ({ busy }) => busy * 100),
      each('between frames, p50', 'ms', ({ frames }) => percentile(frames, 0.5)),
      each('between frames, p99', 'ms', ({ frames }) => percentile(frames, 0.99)),
      each('between frames, most', 'ms', ({ frames }) => percentile(frames, 1)),
      each('changes', '/s', ({ changes }) => changes),
      ...[0, minutes.length].map((minute) => ({
        name: 'heap',
        unit: 'MB',
        parameters: { ...parameters, minutes: minute },
        samples: [(heaps[minute] ?? Number.NaN) / 1e6],
      })),
    ]);
  },
};

interface Minute {
  readonly frames: Float64Array;
  readonly long: number;
  /** The share of the time in which the main thread had work, by its own clock. */
  readonly busy: number;
  readonly changes: number;
}

async function scroll(page: Page, pending: Pending, milliseconds: number): Promise<number> {
  await page.evaluate(() => {
    window.probe.isScrolling = true;
  });
  const changes = await pending.change(PER_SECOND, milliseconds);
  await page.evaluate(() => {
    window.probe.isScrolling = false;
  });
  return changes;
}

async function measureMinute(
  page: Page,
  inspector: CDPSession,
  pending: Pending,
  milliseconds: number,
): Promise<Minute> {
  await inspector.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.evaluate(() => {
    window.probe.frames.length = 0;
    window.probe.long.length = 0;
  });
  const [before, start] = [await busyOf(inspector), performance.now()];
  const changes = await scroll(page, pending, milliseconds);
  const [after, seconds] = [await busyOf(inspector), (performance.now() - start) / 1000];
  const { frames, long } = await page.evaluate(() => window.probe);
  await inspector.send('Performance.disable');
  return {
    frames: Float64Array.from(frames).sort(),
    long: long.length,
    busy: (after - before) / seconds,
    changes: changes / seconds,
  };
}

/** Seconds of work that the main thread has had. */
async function busyOf(inspector: CDPSession): Promise<number> {
  const { metrics } = await inspector.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}
