import type { CDPSession, Page } from 'playwright-core';
import type { Benchmark, Measurement, Parameters } from '../benchmark.js';
import { compareWithFirst, type Samples } from '../comparison.js';
import { percentile } from '../gateway/driver/cycle-load.js';
import { heapOf, inspect } from './browser.js';
import { fill, type Pending } from './load.js';
import { traceFrames } from './trace.js';
import { trendOf } from './trend.js';
import { type ConsoleVenue, openConsoleVenue } from './venue.js';

const PER_SECOND = 200;
/** Fast and long enough to replace most of the list before memory is measured. */
const WARM_UP = { perSecond: 1_500, milliseconds: 25_000 };
const MINUTE = 60_000;
/** The gateway remembers ids for up to twice as long: the default of 10 min would hide a leak. */
const DEDUP_WINDOW = '10s';

/**
 * Scrolls a list of 10,000 while changes arrive: frame times, and the memory of page and gateway after each
 * minute.
 */
export const scrolling: Benchmark = {
  name: 'console/scrolling',
  about: 'scrolling 10,000 pending while 200 changes a second arrive: frames, and memory over ten minutes',
  async measure({ quick, smoke, note }): Promise<readonly Measurement[]> {
    await using venue = await openConsoleVenue(['main'], { dedupWindow: DEDUP_WINDOW });
    const [agent, remarker] = [await venue.join('agent', 'main'), await venue.join('other', 'main')];
    const size = smoke ? 100 : 10_000;
    // Opened before anything arrives, so that everything is in the page's memory in the same form as later
    // arrivals.
    const page = await venue.open('main');
    const pending = await fill(agent, remarker, size);
    await page.locator('.row-item').first().waitFor();
    const inspector = await inspect(page);
    if (!smoke) await pending.change(WARM_UP.perSecond, WARM_UP.milliseconds);
    const work = await traceFrames(inspector, () => scroll(page, pending, smoke ? 500 : 10_000));
    const parameters = { pending: size };
    const minutes: Minute[] = [];
    const heaps = [await measureHeaps(venue, inspector)];
    for (let minute = 0; minute < (quick ? 1 : 10); minute++) {
      minutes.push(await measureMinute(page, inspector, pending, smoke ? 500 : MINUTE));
      heaps.push(await measureHeaps(venue, inspector));
    }
    const long = minutes.reduce((sum, each) => sum + each.long, 0);
    note(`frames or tasks over 50 ms (wall time): ${long} in ${minutes.length} min`);
    const memory = [
      { of: 'page', heap: heaps.map((each) => each.page) },
      { of: 'gateway', heap: heaps.map((each) => each.gateway) },
    ];
    for (const { of, heap } of memory) note(describeHeap(of, heap));
    const each = (name: string, unit: string, of: (minute: Minute) => number) => ({
      name,
      unit,
      parameters,
      samples: minutes.map(of),
    });
    return compareWithFirst([
      { name: 'work per frame, p50', unit: 'ms', parameters, samples: [percentile(work, 0.5)] },
      { name: 'work per frame, p99', unit: 'ms', parameters, samples: [percentile(work, 0.99)] },
      { name: 'work per frame, max', unit: 'ms', parameters, samples: [percentile(work, 1)] },
      each('main thread, busy', '%', ({ busy }) => busy * 100),
      each('between frames, p50', 'ms', ({ frames }) => percentile(frames, 0.5)),
      each('between frames, p99', 'ms', ({ frames }) => percentile(frames, 0.99)),
      each('between frames, most', 'ms', ({ frames }) => percentile(frames, 1)),
      each('changes', '/s', ({ changes }) => changes),
      ...memory.flatMap(({ of, heap }) => heapFigures(of, heap, parameters)),
    ]);
  },
};

/** Fewer minutes show no trend. */
const MIN_MINUTES = 6;

/** Megabytes in use after garbage collection. */
interface Heaps {
  readonly page: number;
  readonly gateway: number;
}

async function measureHeaps({ gateway }: ConsoleVenue, inspector: CDPSession): Promise<Heaps> {
  return { page: (await heapOf(inspector)) / 1e6, gateway: (await gateway.usage(true)).heap / 1e6 };
}

/** The heap before the first minute and after the last, and its growth rate at the end. */
function heapFigures(of: string, heap: readonly number[], parameters: Parameters): readonly Samples[] {
  const last = heap.length - 1;
  const after = (minutes: number): Samples => ({
    name: `${of} heap`,
    unit: 'MB',
    parameters: { ...parameters, minutes },
    samples: [heap[minutes] ?? Number.NaN],
  });
  const samples = [trendOf(heap).slope * 1000];
  return [after(0), after(last), { name: `${of} heap, final growth`, unit: 'kB/min', parameters, samples }];
}

/** The heap after each minute, and whether it is flat. */
function describeHeap(of: string, heap: readonly number[]): string {
  const { growth, isFlat } = trendOf(heap);
  const each = heap.map((size) => size.toFixed(1)).join(', ');
  if (heap.length < MIN_MINUTES)
    return `heap of the ${of} in MB: ${each}; too few to tell whether it is flat`;
  const percent = (growth * 100).toFixed(1);
  return `heap of the ${of} in MB, minute by minute: ${each}; ${percent} % over the last half, ${isFlat ? 'flat' : 'growing'}`;
}

interface Minute {
  readonly frames: Float64Array;
  readonly long: number;
  /** The fraction of time the main thread was busy, by CPU time. */
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

/** CPU seconds of the main thread so far. */
async function busyOf(inspector: CDPSession): Promise<number> {
  const { metrics } = await inspector.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}
