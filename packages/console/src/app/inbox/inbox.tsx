import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Card } from '../card/card.js';
import { decisions } from '../decide/decisions.js';
import { panel } from '../decide/panel.js';
import { useKeys } from '../keys/layers.js';
import { planAt, planId } from '../plan/plan-of.js';
import { OnDemand } from '../shell/on-demand.js';
import type { Space } from '../space/space.js';
import { isUnserved, serversOf } from '../space/tools.js';
import { useNow } from '../state/clock.js';
import { go, route } from '../state/route.js';
import { useStore } from '../state/store.js';
import { type Arranged, Arrangement, type Sort } from './arrange.js';
import { Empty } from './empty.js';
import { type InboxEntry, type InboxLine, isBatch } from './entry.js';
import { type InboxFilter, NO_FILTER, writeFilter } from './filter.js';
import { riskReader } from './risks.js';
import { Row, rowId } from './row.js';
import { Toolbar } from './toolbar.js';
import { VirtualList } from './virtual-list.js';

/** Most cards are of one call. */
const loadBatch = async () => (await import('../batch/batch-review.js')).BatchReview;
const loadPlan = async () => (await import('../plan/plan-review.js')).PlanReview;

const HEIGHTS = { heading: 34, proposal: 84, batch: 84 } as const;

/** Pending proposals, and the card of the selected one. */
export function Inbox({ space }: { readonly space: Space }) {
  useStore(space.changes);
  const { item, filter = NO_FILTER } = useStore(route);
  const made = useStore(decisions);
  const now = useNow();
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<Sort>('newest');
  const [all, setAll] = useState(false);
  const searchBox = useRef<HTMLInputElement>(null);
  const arrangement = useMemo(() => new Arrangement(space.proposals), [space]);
  useEffect(() => () => arrangement.close(), [arrangement]);
  const { me } = space;
  const riskOf = useMemo(() => riskReader(space), [space, space.executors.version]);
  const arranged = arrangement.by({ me, rights: space.rights(), sort, search, all, filter, riskOf });
  // Effects and handlers outlive this render. They must not capture the lists, or every list they saw stays alive.
  const { headings } = arranged;
  const size = arranged.entries.length;
  const firstId = arranged.entries[0]?.id;
  const { isListed } = space.proposals;
  // The position of the selected one, for when it leaves the list.
  const lastPlace = useRef(0);
  const { place, line } = usePlaces(arranged, item);
  if (place !== -1) lastPlace.current = place;
  const shownId = arranged.entries[place]?.id;

  const select = (id: string | undefined): void => {
    panel.set('none');
    go({ view: 'inbox', item: id }, { replace: item !== undefined && id !== undefined });
  };
  const sift = (next: InboxFilter): void => go({ view: 'inbox', item, filter: next }, { replace: true });
  const step = (by: 1 | -1): void => {
    const { entries } = arrangement.latest;
    const from = place === -1 ? lastPlace.current - (by === 1 ? 1 : 0) : place;
    const next = entries[Math.min(Math.max(from + by, 0), entries.length - 1)];
    if (next !== undefined) select(next.id);
  };
  const isWide = useIsWide();
  useEffect(() => {
    // On a wide screen something is always open; on a phone the list comes first.
    if (isWide && isListed && item === undefined && firstId !== undefined)
      go({ view: 'inbox', item: firstId }, { replace: true });
  }, [isWide, isListed, item, firstId === undefined]);

  // A card that was searched away is closed: a decision is for something in the list. A link opens what it names.
  const sifting = `${search} ${writeFilter(filter)}`;
  const sifted = useRef(sifting);
  useLayoutEffect(() => {
    if (sifted.current === sifting) return;
    sifted.current = sifting;
    if (item === undefined || place !== -1) return;
    panel.set('none');
    go({ view: 'inbox', item: isWide ? firstId : undefined }, { replace: true });
  }, [sifting]);

  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    '/': () => searchBox.current?.focus(),
    s: () => setSort(sort === 'newest' ? 'least time left' : 'newest'),
    Escape: () => {
      if (document.activeElement === searchBox.current) {
        setSearch('');
        searchBox.current?.blur();
        return true;
      }
      if (isWide || item === undefined || panel.get() !== 'none') return false;
      select(undefined);
      return true;
    },
  });

  return (
    <div class={item === undefined ? 'panes' : 'panes open'}>
      <section class="list-pane" aria-label="Inbox">
        {item === undefined && <h1 class="sr">Inbox</h1>}
        <Toolbar
          arranged={arranged}
          isListed={isListed}
          search={search}
          sort={sort}
          all={all}
          filter={filter}
          searchBox={searchBox}
          onSearch={setSearch}
          onSort={setSort}
          onAll={setAll}
          onFilter={sift}
        />
        {size === 0 ? (
          <Empty
            space={space}
            arranged={arranged}
            search={search}
            isFiltered={writeFilter(filter) !== ''}
            onUnfilter={() => sift(NO_FILTER)}
            onAll={() => setAll(true)}
          />
        ) : (
          <VirtualList<InboxLine>
            items={arranged.lines}
            selected={line}
            label="Pending calls"
            active={shownId === undefined ? undefined : rowId(shownId)}
            heightOf={({ type }) => HEIGHTS[type]}
            keyOf={(one) => (one.type === 'heading' ? one.title : `entry ${one.id}`)}
            draw={(one, at) =>
              one.type === 'heading' ? (
                <div class="group" role="presentation">
                  {one.title} · {one.size.toLocaleString()}
                </div>
              ) : (
                <Row
                  entry={one}
                  isSelected={one.id === shownId}
                  decision={made.get(one.id)}
                  isUnserved={isEntryUnserved(one, space)}
                  riskOf={riskOf}
                  now={now}
                  place={at + 1 - headings.filter((heading) => heading < at).length}
                  of={size}
                  onSelect={select}
                />
              )
            }
          />
        )}
      </section>
      <section class="card-pane" aria-label="Proposal">
        <Opened
          space={space}
          item={item}
          entry={arranged.entries[place]}
          onBack={() => select(undefined)}
          onNext={() => step(1)}
        />
      </section>
    </div>
  );
}

/** The index of what the URL names, among the entries and among the lines; -1 if it is not there. */
function usePlaces({ entries, lines }: Arranged, item: string | undefined) {
  return useMemo(() => {
    const place = entries.findIndex((entry) => holds(entry, item));
    const shown = entries[place];
    return { place, line: shown === undefined ? -1 : lines.indexOf(shown) };
  }, [entries, item]);
}

/** Whether an entry is what the URL names, or contains it. */
function holds(entry: InboxEntry, item: string | undefined): boolean {
  if (entry.id === item || planId(entry.id) === item) return true;
  return entry.type === 'batch' && entry.proposals.some(({ id }) => id === item);
}

interface OpenedProps {
  readonly space: Space;
  readonly item: string | undefined;
  readonly entry: InboxEntry | undefined;
  readonly onBack: () => void;
  readonly onNext: () => void;
}

/** What the URL names: a proposal's card, or similar calls together. */
function Opened({ space, item, entry, onBack, onNext }: OpenedProps) {
  if (item === undefined) return <p class="nothing dim">Nothing is selected.</p>;
  if (isBatch(item)) {
    const proposals = entry?.type === 'batch' ? entry.proposals : [];
    return <OnDemand key={item} load={loadBatch} props={{ space, proposals, onBack, onNext }} />;
  }
  const step = planAt(item);
  if (step !== undefined) {
    const of = space.proposals.get(step);
    return <OnDemand key={item} load={loadPlan} props={{ space, of, onBack, onNext }} />;
  }
  const proposal = space.proposals.get(item);
  return <Card key={item} space={space} id={item} proposal={proposal} onBack={onBack} onNext={onNext} />;
}

/** Whether list and card are side by side. */
function useIsWide(): boolean {
  const query = useMemo(() => matchMedia('(min-width: 860px)'), []);
  const [isWide, setWide] = useState(query.matches);
  useEffect(() => {
    const look = (): void => setWide(query.matches);
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, [query]);
  return isWide;
}

/** Whether nobody present could run it; the calls of a batch are all of one tool. */
function isEntryUnserved(entry: InboxEntry, { participant }: Space): boolean {
  const proposal = entry.type === 'batch' ? entry.proposals[0] : entry.proposal;
  return proposal !== undefined && isUnserved(proposal, serversOf(proposal, participant));
}
