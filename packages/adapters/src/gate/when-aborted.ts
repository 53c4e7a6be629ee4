/** Settles when a signal is aborted, at once if it is; never without a signal. `stop` ends the listening. */
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
