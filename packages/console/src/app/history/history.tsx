import { decisionOn, type Proposal } from '@proffer/core/operations';
import { describeState } from '@proffer/core/words';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { summaryOf } from '../inbox/entry.js';
import { rowId } from '../inbox/row.js';
import { VirtualList } from '../inbox/virtual-list.js';
import { useKeys } from '../keys/layers.js';
import type { ViewProps } from '../shell/on-demand.js';
import { nameOf } from '../space/tools.js';
import { gatewayNow } from '../state/clock.js';
import { go } from '../state/route.js';
import { useStore } from '../state/store.js';
import { plainLine } from '../text/marked.js';
import { count, dayAndTime } from '../text/words.js';
import { type Filter, filterProposals } from './filter.js';
import { Filters } from './filters.js';
import { foldUpTo } from './fold.js';
import { type PlacedRecord, readRecords } from './read-records.js';
import { Replay } from './replay.js';
import { Tools } from './tools.js';

const ROW = 58;
const EVERYTHING: Filter = { text: '', ending: '', who: '', within: Number.POSITIVE_INFINITY };

/** How far the records were read, or why they could not be. */
type Reading = 'reading' | 'all' | 'more' | { readonly problem: string };

/** Everything that happened in the space: searched, replayed, verified, exported. */
export function History({ space, item }: ViewProps) {
  const [records, setRecords] = useState<readonly PlacedRecord[]>([]);
  const [state, setState] = useState<Reading>('reading');
  const [filter, setFilter] = useState(EVERYTHING);
  /** As of this many records; `undefined` for now. */
  const [moment, setMoment] = useState<number>();
  const changes = useStore(space.changes);

  async function readOn(signal: AbortSignal): Promise<void> {
    setState('reading');
    const read = [...records];
    try {
      const isAll = await readRecords(space, {
        after: read.at(-1)?.seq ?? 0,
        signal,
        onPage: (page) => {
          read.push(...page);
          setRecords([...read]);
        },
      });
      if (!signal.aborted) setState(isAll ? 'all' : 'more');
    } catch (error) {
      setState({ problem: error instanceof Error ? error.message : String(error) });
    }
  }
  const isReading = state === 'reading';
  const isBehind = state === 'all' && space.participant.seq > (records.at(-1)?.seq ?? 0);
  useEffect(() => {
    const leaving = new AbortController();
    void readOn(leaving.signal);
    return () => leaving.abort();
  }, [space]);
  const isLive = useStore(space.status).state === 'live';
  useEffect(() => {
    if (isLive && typeof state === 'object') void readOn(new AbortController().signal);
  }, [isLive]);
  useEffect(() => {
    // New records extend the history.
    if (isBehind && !isReading) void readOn(new AbortController().signal);
  }, [changes, isBehind]);

  const place = moment ?? records.length;
  const proposals = useMemo(() => foldUpTo(records, place), [records, place]);
  const shown = useMemo(() => filterProposals(proposals, filter, gatewayNow()), [proposals, filter]);
  const [selected, setSelected] = useState(-1);
  const current = shown[selected];
  const step = (by: number): void => setSelected(Math.min(Math.max(selected + by, 0), shown.length - 1));
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Enter: current === undefined ? undefined : () => go({ view: 'proposals', item: current.id }),
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
        <Tools space={space} records={records} isExport={item === 'export'} />
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
          There is more than fits on one page.{' '}
          <button type="button" class="quiet" onClick={() => void readOn(new AbortController().signal)}>
            Read on
          </button>
        </p>
      )}
      {shown.length === 0 ? (
        <p class="nothing dim">{isReading ? 'Reading …' : emptiness(state, proposals.length)}</p>
      ) : (
        <VirtualList<Proposal>
          items={shown}
          selected={selected}
          label="Proposals"
          active={current === undefined ? undefined : rowId(current.id)}
          heightOf={() => ROW}
          keyOf={({ id }) => id}
          draw={(proposal) => <HistoryRow proposal={proposal} isSelected={proposal === current} />}
        />
      )}
    </div>
  );
}

/** Why the list is empty; nothing if unknown. */
function emptiness(state: Reading, proposals: number): string {
  if (proposals > 0) return 'No proposal matches.';
  return typeof state === 'object' ? '' : 'Nothing was proposed here yet.';
}

function HistoryRow({ proposal, isSelected }: { readonly proposal: Proposal; readonly isSelected: boolean }) {
  const { word, tone } = describeState(proposal);
  const decision = decisionOn(proposal);
  return (
    <div
      id={rowId(proposal.id)}
      class={isSelected ? 'history-row on' : 'history-row'}
      role="option"
      aria-selected={isSelected}
      onClick={() => go({ view: 'proposals', item: proposal.id })}
    >
      <span class={`ending tone-${tone}`}>{word}</span>
      <b>{plainLine(nameOf(proposal))}</b>
      <span class="about mono dim">{summaryOf(proposal)}</span>
      <span class="people dim">
        {plainLine(proposal.proposer)}
        {decision?.by !== undefined && decision.by !== proposal.proposer && ` → ${plainLine(decision.by)}`}
      </span>
      <time class="dim" dateTime={new Date(proposal.changedAt).toISOString()}>
        {dayAndTime(proposal.changedAt)}
      </time>
    </div>
  );
}
