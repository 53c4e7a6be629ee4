import type { Proposal } from '@proffer/core/operations';
import { useMemo, useState } from 'preact/hooks';
import { rowId } from '../inbox/row.js';
import { VirtualList } from '../inbox/virtual-list.js';
import { useKeys } from '../keys/layers.js';
import type { ViewProps } from '../shell/on-demand.js';
import { gatewayNow, useNow } from '../state/clock.js';
import { go } from '../state/route.js';
import { count, dayAndTime } from '../text/words.js';
import { byDay, type HistoryLine } from './days.js';
import { type Filter, Filters, filterProposals } from './filters.js';
import { HistoryColumns, HistoryRow } from './history-row.js';
import { foldUpTo, type PlacedRecord } from './read-records.js';
import { Tools } from './tools.js';
import { type ReadState, useRecords } from './use-records.js';

const HEIGHTS = { day: 36, proposal: 46 } as const;
const EVERYTHING: Filter = { text: '', ending: '', who: '', within: Number.POSITIVE_INFINITY };

/** Everything that happened in the space: searched, replayed, verified, exported. */
export function History({ space, item }: ViewProps) {
  const { records, state, isRead, readOn } = useRecords(space);
  const isReading = state === 'reading';
  const [filter, setFilter] = useState(EVERYTHING);
  /** As of this many records; `undefined` for now. */
  const [moment, setMoment] = useState<number>();

  const place = moment ?? records.length;
  const proposals = useMemo(() => foldUpTo(records, place), [records, place]);
  const shown = useMemo(() => filterProposals(proposals, filter, gatewayNow()), [proposals, filter]);
  const now = useNow(10_000);
  const today = new Date(now).toDateString();
  const lines = useMemo(() => byDay(shown, now), [shown, today]);
  const [chosen, setChosen] = useState<string>();
  const selected = lines.findIndex((line) => line.type === 'proposal' && line.proposal.id === chosen);
  const current = selected === -1 ? undefined : chosen;
  const step = (by: 1 | -1): void => {
    // Days are passed over.
    for (let place = selected + by; place >= 0 && place < lines.length; place += by) {
      const line = lines[place];
      if (line?.type === 'proposal') return setChosen(line.proposal.id);
    }
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Enter: current === undefined ? undefined : () => go({ view: 'proposals', item: current }),
    '/': () => document.querySelector<HTMLElement>('.filters input')?.focus(),
    Escape: () => (document.activeElement as HTMLElement | null)?.blur(),
  });
  const people = useMemo(() => [...new Set(records.map(({ principal }) => principal))].sort(), [records]);
  return (
    <div class="page history">
      <header class="page-head">
        <h1>History</h1>
        <p class="dim" role="status">
          {shown.length < proposals.length && `${shown.length.toLocaleString()} of `}
          {count(proposals.length, 'proposal')}, from {count(records.length, 'record')}
          {isReading && ' … reading'}
        </p>
        <Tools space={space} records={records} isRead={isRead} isExport={item === 'export'} />
      </header>
      {typeof state === 'object' && (
        <p class="notice bad" role="alert">
          {state.problem}
        </p>
      )}
      <Filters filter={filter} people={people} onChange={setFilter} />
      <Replay records={records} moment={moment} proposals={proposals} onMoment={setMoment} />
      {state === 'more' && (
        <p class="notice">
          There are more calls than fit on one page.{' '}
          <button type="button" class="quiet" onClick={readOn}>
            Show more
          </button>
        </p>
      )}
      {shown.length === 0 ? (
        <p class="nothing dim">{isReading ? 'Reading …' : emptiness(state, proposals.length)}</p>
      ) : (
        <>
          <HistoryColumns />
          <VirtualList<HistoryLine>
            items={lines}
            selected={selected}
            label="Proposals"
            active={current === undefined ? undefined : rowId(current)}
            heightOf={({ type }) => HEIGHTS[type]}
            keyOf={(line) => (line.type === 'day' ? `day ${line.title}` : line.proposal.id)}
            draw={(line) =>
              line.type === 'day' ? (
                <div class="group" role="presentation">
                  {line.title} · {line.size.toLocaleString()}
                </div>
              ) : (
                <HistoryRow proposal={line.proposal} isSelected={line.proposal.id === current} now={now} />
              )
            }
          />
        </>
      )}
    </div>
  );
}

/** Why the list is empty; nothing if unknown. */
function emptiness(state: ReadState, proposals: number): string {
  if (proposals > 0) return 'No proposal matches.';
  return typeof state === 'object' ? '' : 'Nothing has been proposed here yet.';
}

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
