import { tryAfter } from '../connection/backoff.js';
import { MacpError } from './macp-error.js';
import { type Persistence, pause, waitAfter } from './persist.js';
import type { Attempt } from './transport.js';

/** How something is followed. */
export interface WatchOptions {
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
  /** Called each time the connection is lost, before it is retried. */
  readonly onLost?: (error: MacpError) => void;
}

/** How a stream that the runtime ended went. */
export interface StreamEnd {
  /** Whether anything arrived on it. */
  readonly wasEmpty: boolean;
}

/**
 * A stream that is reopened after it was lost, until the signal ends it. Throws errors that are not
 * temporary. Only as much is read as is consumed.
 *
 * @param open - reopens the stream where the last one stopped
 * @param isOver - called when the runtime ended it: whether it is complete. Default no
 */
export async function* keepWatching<Value>(
  { token, retry, addresses }: Pick<Persistence, 'token' | 'retry' | 'addresses'>,
  { signal, onLost }: WatchOptions,
  open: (attempt: Attempt) => AsyncIterable<Value>,
  isOver: (end: StreamEnd) => Promise<boolean> = () => Promise.resolve(false),
): AsyncGenerator<Value, undefined> {
  for (let tries = 0; ; tries++) {
    if (signal?.aborted === true) return;
    const controller = new AbortController();
    const stop = (): void => controller.abort(signal?.reason);
    signal?.addEventListener('abort', stop);
    let wasEmpty = true;
    let firstValueAt = 0;
    const upFor = (): number => (wasEmpty ? 0 : Date.now() - firstValueAt);
    let wait = 0;
    try {
      const current = typeof token === 'string' ? token : await token();
      for await (const value of open({ token: current, signal: controller.signal })) {
        if (wasEmpty) firstValueAt = Date.now();
        wasEmpty = false;
        yield value;
      }
      if (retry === false || (await isOver({ wasEmpty }))) return;
      const ended = new MacpError('UNAVAILABLE', 'The runtime ended the stream.');
      tries = tryAfter(tries, upFor());
      // Not at once, even with other addresses: a gateway that keeps ending streams would be asked
      // without a pause.
      wait = waitAfter(ended, tries, { retry, addresses: 1 }) ?? 0;
      onLost?.(ended);
    } catch (error) {
      if (controller.signal.aborted) return;
      tries = tryAfter(tries, upFor());
      const pauseBefore = waitAfter(error, tries, { retry, addresses });
      if (!(error instanceof MacpError) || pauseBefore === undefined) throw error;
      wait = pauseBefore;
      onLost?.(error);
    } finally {
      signal?.removeEventListener('abort', stop);
      controller.abort();
    }
    await pause(wait, signal).catch(() => {});
  }
}
