import { canonicalJson, type JsonValue } from '@proffer/core/json';
import { type SealedRecord, type StreamHead, verifyStream } from '@proffer/core/records';
import { useEffect, useState } from 'preact/hooks';
import type { Space } from '../space/space.js';
import { HIDDEN } from '../text/hiding.js';
import { count } from '../text/words.js';
import type { PlacedRecord } from './read-records.js';

interface ToolsProps {
  readonly space: Space;
  readonly records: readonly PlacedRecord[];
  /** Whether to ask at once how to export. */
  readonly isExport: boolean;
}

/** Verifies the hash chain in the browser, and exports the records. */
export function Tools({ space, records, isExport }: ToolsProps) {
  const [checked, setChecked] = useState<number>();
  const [verdict, setVerdict] = useState<ChainVerdict>();
  const [isExporting, setExporting] = useState(isExport);
  useEffect(() => setExporting(isExport), [isExport]);
  function exportAs(hasSecrets: boolean): void {
    setExporting(false);
    exportRecords(records, { space: space.name, hasSecrets });
  }
  async function verify(): Promise<void> {
    setVerdict(undefined);
    setChecked(0);
    setVerdict(await verifyRecords(records, setChecked));
    setChecked(undefined);
  }
  return (
    <div class="tools">
      <button type="button" class="button" disabled={checked !== undefined} onClick={() => void verify()}>
        Verify
      </button>
      <button
        type="button"
        class="button"
        aria-expanded={isExporting}
        onClick={() => setExporting(!isExporting)}
      >
        Export
      </button>
      {isExporting && (
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
      <p
        role="status"
        class={verdict === undefined ? 'dim' : verdict.problems.length === 0 ? 'tone-good' : 'tone-bad'}
      >
        {checked !== undefined &&
          `Checking ${checked.toLocaleString()} of ${records.length.toLocaleString()} …`}
        {verdict !== undefined && wordsOf(verdict)}
      </p>
    </div>
  );
}

function wordsOf({ records, streams, partial, problems }: ChainVerdict): string {
  const [first, ...more] = problems;
  if (first !== undefined)
    return more.length === 0 ? first : `${first} And ${count(more.length, 'more problem')}.`;
  const seen = partial === 0 ? '' : ` ${count(partial, 'chain')} only partly visible to you.`;
  return `Intact: ${count(records, 'record')} in ${count(streams, 'chain')}, none changed since it was sealed.${seen}`;
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

/** The result of verifying the hash chains. */
interface ChainVerdict {
  readonly records: number;
  readonly streams: number;
  /** Streams with records that we may not see; only the visible part could be checked. */
  readonly partial: number;
  /** The problems, in core's words; empty if everything is intact. */
  readonly problems: readonly string[];
}

/** Records checked before yielding to the page. */
const TURN = 500;

/**
 * Checks that every record is what was sealed and follows the one before it, stream by stream, by core's own rules.
 * Keeps the page responsive.
 */
async function verifyRecords(
  records: readonly PlacedRecord[],
  onProgress: (done: number) => void,
): Promise<ChainVerdict> {
  const streams = new Map<string, PlacedRecord[]>();
  for (const record of records) {
    const known = streams.get(record.stream);
    if (known === undefined) streams.set(record.stream, [record]);
    else known.push(record);
  }
  const problems: string[] = [];
  let partial = 0;
  let done = 0;
  let turn = 0;
  for (const stream of streams.values()) {
    const runs = withoutGaps(stream);
    if (runs.length > 1 || stream[0]?.version !== 1) partial++;
    for (const run of runs) {
      const [first] = run;
      const result = verifyStream(
        run,
        first === undefined || first.version === 1 ? {} : { from: before(first) },
      );
      if (!result.ok) problems.push(result.refusal.message);
    }
    done += stream.length;
    turn += stream.length;
    if (turn < TURN) continue;
    turn = 0;
    onProgress(done);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return { records: records.length, streams: streams.size, partial, problems };
}

/** With restricted visibility, some records are missing; adjacent ones are checked. */
function withoutGaps(stream: readonly PlacedRecord[]): readonly (readonly SealedRecord[])[] {
  const runs: SealedRecord[][] = [];
  for (const { seq: _seq, ...record } of stream) {
    const run = runs.at(-1);
    if (run !== undefined && run.at(-1)?.version === record.version - 1) run.push(record);
    else runs.push([record]);
  }
  return runs;
}

/** The chain end before a record, as the record itself names it. */
function before({ stream, version, prev }: SealedRecord): StreamHead {
  return { stream, version: version - 1, hash: prev };
}
