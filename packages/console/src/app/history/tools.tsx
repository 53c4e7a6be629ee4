import { useState } from 'preact/hooks';
import type { Space } from '../space/space.js';
import { count } from '../text/words.js';
import { exportRecords } from './export.js';
import type { PlacedRecord } from './read-records.js';
import { type Verdict, verifyRecords } from './verify.js';

interface ToolsProps {
  readonly space: Space;
  readonly records: readonly PlacedRecord[];
}

/** Verifies the hash chain in the browser, and exports the records. */
export function Tools({ space, records }: ToolsProps) {
  const [checked, setChecked] = useState<number>();
  const [verdict, setVerdict] = useState<Verdict>();
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
      <button type="button" class="button" onClick={() => exportRecords(records, space.name)}>
        Export
      </button>
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

function wordsOf({ records, streams, partial, problems }: Verdict): string {
  const [first, ...more] = problems;
  if (first !== undefined)
    return more.length === 0 ? first : `${first} And ${count(more.length, 'more problem')}.`;
  const seen = partial === 0 ? '' : ` ${count(partial, 'chain')} only partly visible to you.`;
  return `Intact: ${count(records, 'record')} in ${count(streams, 'chain')}, none changed since it was sealed.${seen}`;
}
