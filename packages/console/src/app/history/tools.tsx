import { canonicalJson, type JsonValue } from '@proffer/core/json';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Space } from '../space/space.js';
import { HIDDEN } from '../text/hiding.js';
import type { PlacedRecord } from './read-records.js';
import { describeVerdict } from './verdict-words.js';
import { verifyInWorker } from './verify-in-worker.js';
import type { SeenVerdict } from './verify-records.js';

interface ToolsProps {
  readonly space: Space;
  readonly records: readonly PlacedRecord[];
  /** Whether they are all there, and not just the first ones that were read. */
  readonly isRead: boolean;
  /** Whether to ask at once how to export. */
  readonly isExport: boolean;
}

/** Verifies what we see in the browser, and exports the records. */
export function Tools({ space, records, isRead, isExport }: ToolsProps) {
  const [checked, setChecked] = useState<number>();
  const [verdict, setVerdict] = useState<SeenVerdict | { readonly failed: string }>();
  const [isExporting, setExporting] = useState(isExport);
  useEffect(() => setExporting(isExport), [isExport]);
  function exportAs(hasSecrets: boolean): void {
    setExporting(false);
    exportRecords(records, { space: space.name, hasSecrets });
  }
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  async function verify(): Promise<void> {
    setVerdict(undefined);
    setChecked(0);
    const { signal } = leaving.current;
    const found = await verifyInWorker(records, {
      space: space.name,
      signal,
      onProgress: setChecked,
    }).catch((error: unknown) => ({ failed: error instanceof Error ? error.message : String(error) }));
    if (signal.aborted) return;
    setVerdict(found);
    setChecked(undefined);
  }
  return (
    <div class="tools">
      <button
        type="button"
        class="button"
        disabled={!isRead || checked !== undefined}
        onClick={() => void verify()}
      >
        Verify
      </button>
      <button
        type="button"
        class="button"
        disabled={!isRead}
        aria-expanded={isExporting}
        onClick={() => setExporting(!isExporting)}
      >
        Export
      </button>
      {isRead && isExporting && (
        <div class="notice secrets">
          <p>
            Records can only be verified with their real values, including those that look like secrets and
            are hidden here.
          </p>
          <button type="button" class="button" onClick={() => exportAs(true)}>
            With real values
          </button>
          <button type="button" class="button" onClick={() => exportAs(false)}>
            Without secrets
          </button>
        </div>
      )}
      <div role="status" class="verdict">
        {checked !== undefined && (
          <p class="dim">
            Checking {checked.toLocaleString()} of {records.length.toLocaleString()} …
          </p>
        )}
        {verdict !== undefined && <Verdict verdict={verdict} />}
      </div>
    </div>
  );
}

function Verdict({ verdict }: { readonly verdict: SeenVerdict | { readonly failed: string } }) {
  if ('failed' in verdict) return <p class="tone-bad">Nothing was verified: {verdict.failed}</p>;
  const isIntact = verdict.problems.length === 0;
  const [first, ...others] = describeVerdict(verdict);
  return (
    <>
      <p class={isIntact ? 'tone-good' : 'tone-bad'}>{first}</p>
      {others.map((sentence) => (
        <p key={sentence} class="dim">
          {sentence}
        </p>
      ))}
    </>
  );
}

/**
 * Downloads the records as a file: one JSON object per line. In sealed form they can be verified; without secrets they
 * can only be read.
 */
function exportRecords(
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
