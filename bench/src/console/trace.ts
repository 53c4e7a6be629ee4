import type { CDPSession } from 'playwright-core';

/** The part of a Chromium trace event used here: something that took time on a thread. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Thread CPU time in microseconds. */
  readonly tdur?: number;
}

/** Frames and tasks only: a full trace would disturb the measurement. */
const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];

/**
 * How long each frame-related task of the page's main thread took, in milliseconds of thread CPU time,
 * sorted. Unlike wall time, this leaves out other processes.
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
  // Shorter tasks are not frames but incoming messages or timers.
  return Float64Array.from(tasks, ({ tdur = 0 }) => tdur / 1000)
    .filter((taken) => taken > 1)
    .sort();
}
