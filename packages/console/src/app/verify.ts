import type { PlacedRecord } from './history/read-records.js';
import type { FromVerifier, ToVerifier } from './history/verify-in-worker.js';
import { verifyRecords } from './history/verify-records.js';

/** The worker that verifies a history, so that the page stays responsive. It gets the records in parts. */
const records: PlacedRecord[] = [];
const tell = (message: FromVerifier): void => self.postMessage(message, {});

self.addEventListener('message', ({ data }: MessageEvent<ToVerifier>) => {
  if ('records' in data) {
    records.push(...data.records);
    return tell({ received: records.length });
  }
  const { space } = data;
  tell({ verdict: verifyRecords(records, { space, onProgress: (done) => tell({ done }) }) });
});
