import { type InboxFilter, NO_FILTER, readFilter, writeFilter } from '../inbox/filter.js';
import { plainLine } from '../text/marked.js';
import { createStore, type Store } from './store.js';

/** The views, by their name in the URL. */
export const VIEWS = [
  'inbox',
  'proposals',
  'history',
  'negotiations',
  'rules',
  'insights',
  'people',
] as const;
export type View = (typeof VIEWS)[number];

/** A location: a space, a view, and what it shows, such as a proposal. */
export interface PageRoute {
  readonly space?: string | undefined;
  readonly view: View;
  readonly item?: string | undefined;
  /** What the inbox lists. */
  readonly filter?: InboxFilter | undefined;
}

const BASE = '/console/';

/** Parses an address such as `/console/main/inbox/p-1?risk=high`. Anything unknown means the inbox. */
export function readRoute(address: string): PageRoute {
  const [path = '', query = ''] = address.split('?', 2);
  const [space, view, item] = path.slice(BASE.length).split('/').map(decode);
  const known = VIEWS.find((name) => name === view) ?? 'inbox';
  return {
    space: space === '' ? undefined : space,
    view: known,
    item: item === '' ? undefined : item,
    ...(known === 'inbox' ? { filter: readFilter(new URLSearchParams(query)) } : {}),
  };
}

/** What is wrong with a path, as text: a page that does not exist. */
function problemOf(path: string): string | undefined {
  const [, view = ''] = path.slice(BASE.length).split('/').map(decode);
  const isKnown = view === '' || VIEWS.some((name) => name === view);
  return isKnown ? undefined : `Page “${plainLine(view)}” was not found, so this is the inbox.`;
}

/** The address of a location; a permanent link. */
export function writeRoute({ space, view, item, filter = NO_FILTER }: PageRoute): string {
  if (space === undefined) return BASE;
  const parts = [space, view, ...(item === undefined ? [] : [item])];
  return BASE + parts.map(encodeURIComponent).join('/') + (view === 'inbox' ? writeFilter(filter) : '');
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const here = (): string => (typeof location === 'undefined' ? BASE : location.pathname);
const query = (): string => (typeof location === 'undefined' ? '' : location.search);

/** Why the URL was not followed, as text; until the next navigation. */
export const lost: Store<string | undefined> = createStore(problemOf(here()));

/** The current location. Follows the browser's back and forward buttons. */
export const route: Store<PageRoute> = createStore<PageRoute>(readRoute(here() + query()));

/** Navigates. `replace` adds no history entry. The filter stays until another view or space is shown. */
export function go(next: Partial<PageRoute>, { replace = false } = {}): void {
  const from = route.get();
  const isElsewhere = (next.view ?? from.view) !== from.view || (next.space ?? from.space) !== from.space;
  const filter = isElsewhere ? undefined : from.filter;
  const to: PageRoute = { ...from, item: undefined, filter, ...next };
  const address = writeRoute(to);
  if (address === location.pathname + location.search) return;
  if (replace) history.replaceState(null, '', address);
  else {
    history.pushState(null, '', address);
    lost.set(undefined);
  }
  route.set(to);
}

if (typeof window !== 'undefined') {
  window.addEventListener('popstate', () => {
    lost.set(problemOf(here()));
    route.set(readRoute(here() + query()));
  });
}
