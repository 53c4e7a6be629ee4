import { onAbort } from './on-abort.js';

/** A signal that is aborted with the first of several, until it is released. */
export function joinSignals(...signals: readonly (AbortSignal | undefined)[]): {
  readonly signal: AbortSignal;
  /** Must be called in the end, so that longer-lived signals drop this one. */
  readonly release: () => void;
} {
  const controller = new AbortController();
  const follow = (): void => controller.abort(signals.find((signal) => signal?.aborted === true)?.reason);
  const waiting = signals.map((signal) => onAbort(signal, follow));
  if (signals.some((signal) => signal?.aborted === true)) follow();
  return {
    signal: controller.signal,
    release: () => {
      for (const { release } of waiting) release();
    },
  };
}
