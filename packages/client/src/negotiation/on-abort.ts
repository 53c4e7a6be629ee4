/** What to do when a signal is aborted, for all who asked. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Does something when a signal is aborted, unless it is released before; `undefined` for one that is aborted already. A
 * signal gets one listener however many wait for it: a platform may warn of more than a few as of a leak, and those who
 * share a signal among thousands of calls do so on purpose.
 */
export function onAbort(signal: AbortSignal | undefined, then: () => void): { readonly release: () => void } {
  if (signal === undefined) return { release: () => {} };
  const all = waiting.get(signal) ?? listen(signal);
  // Each its own, also when the same thing is to be done twice.
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
