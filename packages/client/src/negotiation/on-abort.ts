/** The callbacks of a signal. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Runs a callback when a signal is aborted, unless it is released before; `undefined` for a signal
 * that is already aborted. A signal gets one listener however many wait for it: a platform may report
 * more than a few as a leak, although sharing a signal among thousands of calls is deliberate.
 */
export function onAbort(signal: AbortSignal | undefined, then: () => void): { readonly release: () => void } {
  if (signal === undefined) return { release: () => {} };
  const all = waiting.get(signal) ?? listen(signal);
  // A new function each time, also for the same callback twice.
  const one = (): void => then();
  all.add(one);
  return { release: () => void all.delete(one) };
}

function listen(signal: AbortSignal): Set<() => void> {
  const all = new Set<() => void>();
  waiting.set(signal, all);
  signal.addEventListener(
    'abort',
    () => {
      for (const then of all) then();
      all.clear();
    },
    { once: true },
  );
  return all;
}
