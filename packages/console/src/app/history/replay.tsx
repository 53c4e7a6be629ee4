import type { Proposal } from '@proffer/core/operations';
import { dayAndTime } from '../text/words.js';
import type { PlacedRecord } from './read-records.js';

interface ReplayProps {
  readonly records: readonly PlacedRecord[];
  /** As of this many records; `undefined` for now. */
  readonly moment: number | undefined;
  /** The proposals as they were then. */
  readonly proposals: readonly Proposal[];
  readonly onMoment: (moment: number | undefined) => void;
}

/** A slider over the history of the space: everything below shows the state at that moment. */
export function Replay({ records, moment, proposals, onMoment }: ReplayProps) {
  if (records.length < 2) return null;
  const place = moment ?? records.length;
  const time = records[place - 1]?.time;
  const pending = proposals.filter((proposal) => proposal.phase === 'pending').length;
  return (
    <div class="replay">
      <label for="replay">Replay</label>
      <input
        id="replay"
        type="range"
        min={1}
        max={records.length}
        value={place}
        onInput={({ currentTarget }) => {
          const next = Number(currentTarget.value);
          onMoment(next >= records.length ? undefined : next);
        }}
      />
      <p role="status">
        {moment === undefined ? 'Now' : time === undefined ? '' : dayAndTime(time)}
        <span class="dim"> · {pending.toLocaleString()} pending</span>
      </p>
      {moment !== undefined && (
        <button type="button" class="quiet" onClick={() => onMoment(undefined)}>
          Back to now
        </button>
      )}
    </div>
  );
}
