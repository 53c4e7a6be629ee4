import type { CDPSession } from 'playwright-core';

/** Of what Chromium writes down: something that took time on a thread. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the thread's own processor time. */
  readonly tdur?: number;
}

/** Frames and tasks, and nothing else: a trace of everything would disturb what is measured. */
const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];

/**
 * How long each task of the page's main thread took that had to do with a frame, in milliseconds of the thread's own
 * processor time, sorted. Unlike the time on the wall, it does not count what other processes do meanwhile.
 */
export async function traceFrames(
  inspector: CDPSession,
  work: () => Promise<unknown>,
): Promise<Float64Array> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { readonly value: readonly object[] }): void => {
    events.push(...(value as readonly TraceEvent[]));
  };
  inspector.on('Tracing.dataCollected', collect);
  const complete = new Promise((resolve) => inspector.once('Tracing.tracingComplete', resolve));
  const traceConfig = { includedCategories: CATEGORIES, recordMode: 'recordContinuously' } as const;
  await inspector.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  await work();
  await inspector.send('Tracing.end');
  await complete;
  inspector.off('Tracing.dataCollected', collect);
  const page = events.find(({ name }) => name === 'FireAnimationFrame');
  const tasks = events.filter(
    ({ name, ph, pid, tid }) => name === 'RunTask' && ph === 'X' && pid === page?.pid && tid === page.tid,
  );
  // A task of less is something else than a frame: a message that is taken in, a timer.
  return Float64Array.from(tasks, ({ tdur = 0 }) => tdur / 1000)
    .filter((taken) => taken > 1)
    .sort();
}
