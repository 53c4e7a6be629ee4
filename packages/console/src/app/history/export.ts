import { canonicalJson, type JsonValue } from '@proffer/core/json';
import { HIDDEN } from '../text/hiding.js';
import type { PlacedRecord } from './read-records.js';

/**
 * Downloads the records as a file: one JSON object per line. In sealed form they can be verified; without secrets they
 * can only be read.
 */
export function exportRecords(
  records: readonly PlacedRecord[],
  { space, hasSecrets }: { readonly space: string; readonly hasSecrets: boolean },
): void {
  const lines = records.map((record) => {
    const sealed = record as unknown as JsonValue;
    return `${canonicalJson(hasSecrets ? sealed : HIDDEN.value(sealed))}\n`;
  });
  const address = URL.createObjectURL(new Blob(lines, { type: 'application/x-ndjson' }));
  const link = document.createElement('a');
  link.href = address;
  const kind = hasSecrets ? '' : '-redacted';
  link.download = `proffer-${space}-${new Date().toISOString().slice(0, 10)}${kind}.jsonl`;
  link.click();
  URL.revokeObjectURL(address);
}
