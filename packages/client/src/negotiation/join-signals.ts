import { onAbort } from './on-abort.js';

/** A signal that is aborted with the first of several, for as long as it is not released. */
export function joinSignals(...signals: readonly (AbortSignal | undefined)[]): {
  readonly signal: AbortSignal;
  /** To be called in the end, so that signals that live longer forget about this one. */
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
