import { plainLine } from '../text/marked.js';
import { createStore, type Store } from './store.js';

/** The views, by their name in the URL. */
export const VIEWS = ['inbox', 'proposals', 'history', 'negotiations', 'rules', 'people'] as const;
export type View = (typeof VIEWS)[number];

/** A location: a space, a view, and what it shows, such as a proposal. */
export interface PageRoute {
  readonly space?: string | undefined;
  readonly view: View;
  readonly item?: string | undefined;
}

const BASE = '/console/';

/** Parses a path such as `/console/main/inbox/p-1`. Anything unknown means the inbox. */
export function readRoute(path: string): PageRoute {
  const [space, view, item] = path.slice(BASE.length).split('/').map(decode);
  const known = VIEWS.find((name) => name === view) ?? 'inbox';
  return { space: space === '' ? undefined : space, view: known, item: item === '' ? undefined : item };
}

/** What is wrong with a path, as text: a page that does not exist. */
function problemOf(path: string): string | undefined {
  const [, view = ''] = path.slice(BASE.length).split('/').map(decode);
  const isKnown = view === '' || VIEWS.some((name) => name === view);
  return isKnown ? undefined : `Page “${plainLine(view)}” not found. This is the inbox.`;
}

/** The path of a location; a permanent link. */
export function writeRoute({ space, view, item }: PageRoute): string {
  if (space === undefined) return BASE;
  const parts = [space, view, ...(item === undefined ? [] : [item])];
  return BASE + parts.map(encodeURIComponent).join('/');
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const here = (): string => (typeof location === 'undefined' ? BASE : location.pathname);

/** Why the URL was not followed, as text; until the next navigation. */
export const lost: Store<string | undefined> = createStore(problemOf(here()));

/** The current location. Follows the browser's back and forward buttons. */
export const route: Store<PageRoute> = createStore<PageRoute>(readRoute(here()));

/** Navigates. `replace` adds no history entry. */
export function go(next: Partial<PageRoute>, { replace = false } = {}): void {
  const to: PageRoute = { ...route.get(), item: undefined, ...next };
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
    route.set(readRoute(here()));
  });
}
