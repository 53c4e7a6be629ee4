import { scriptUrl } from '../state/script-url.js';
import type { PlacedRecord } from './read-records.js';
import type { SeenVerdict } from './verify-records.js';

/** The records in parts, then which space they are of. */
export type ToVerifier = { readonly records: readonly PlacedRecord[] } | { readonly space: string };

/** How many records the worker has, how many of them are checked, and the result. */
export type FromVerifier =
  | { readonly received: number }
  | { readonly done: number }
  | { readonly verdict: SeenVerdict };

interface VerifyingOptions {
  readonly space: string;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
}

/** Records given to the worker at once: copying them keeps the page busy. */
const PART = 1_000;

/** Verifies records in a worker. Rejects if the browser cannot run it, or when it is aborted. */
export function verifyInWorker(
  records: readonly PlacedRecord[],
  { space, signal, onProgress }: VerifyingOptions,
): Promise<SeenVerdict> {
  const worker = new Worker(scriptUrl('/console/verify.js'));
  const send = (message: ToVerifier): void => worker.postMessage(message, []);
  const sendFrom = (start: number): void =>
    send(start < records.length ? { records: records.slice(start, start + PART) } : { space });
  return new Promise<SeenVerdict>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    worker.addEventListener('error', ({ message }) =>
      reject(new Error(message === '' ? 'The script that verifies could not be loaded.' : message)),
    );
    worker.addEventListener('message', ({ data }: MessageEvent<FromVerifier>) => {
      if ('verdict' in data) resolve(data.verdict);
      else if ('done' in data) onProgress(data.done);
      else sendFrom(data.received);
    });
    sendFrom(0);
  }).finally(() => worker.terminate());
}
