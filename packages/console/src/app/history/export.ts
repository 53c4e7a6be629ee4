import { canonicalJson, type JsonValue } from '@proffer/core/json';
import type { PlacedRecord } from './read-records.js';

/** Downloads the records as a file: one JSON object per line, in sealed form. */
export function exportRecords(records: readonly PlacedRecord[], space: string): void {
  const lines = records.map((record) => `${canonicalJson(record as unknown as JsonValue)}\n`);
  const address = URL.createObjectURL(new Blob(lines, { type: 'application/x-ndjson' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `proffer-${space}-${new Date().toISOString().slice(0, 10)}.jsonl`;
  link.click();
  URL.revokeObjectURL(address);
}
