import { Inbox } from '../inbox/inbox.js';
import type { Space } from '../space/space.js';
import { route, type View } from '../state/route.js';
import { useStore } from '../state/store.js';
import { type LoadView, OnDemand } from './on-demand.js';

/** Views that are not needed to decide are loaded on demand. */
const LOADED: Readonly<Record<Exclude<View, 'inbox'>, LoadView>> = {
  proposals: async () => (await import('../proposal/proposal-view.js')).ProposalView,
  history: async () => (await import('../history/history.js')).History,
  negotiations: async () => (await import('../negotiations/negotiations.js')).Negotiations,
  rules: async () => (await import('../rules/rules.js')).Rules,
  insights: async () => (await import('../insights/insights.js')).Insights,
  people: async () => (await import('../people/people.js')).People,
};

/** The view named in the URL. */
export function ViewOf({ view, space }: { readonly view: View; readonly space: Space }) {
  const { item } = useStore(route);
  if (view === 'inbox') return <Inbox space={space} />;
  return <OnDemand key={view} load={LOADED[view]} props={{ space, item }} />;
}
