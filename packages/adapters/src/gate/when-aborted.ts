/**
 * Settles when a signal is aborted, at once if it already is; never without a signal. `stop` removes
 * the listener.
 */
export function whenAborted(signal: AbortSignal | undefined): {
  readonly aborted: Promise<'aborted'>;
  readonly stop: () => void;
} {
  const listening = new AbortController();
  const aborted = new Promise<'aborted'>((resolve) => {
    if (signal?.aborted === true) resolve('aborted');
    signal?.addEventListener('abort', () => resolve('aborted'), { signal: listening.signal });
  });
  return { aborted, stop: () => listening.abort() };
}
