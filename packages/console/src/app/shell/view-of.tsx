import { Card } from '../card/card.js';
import { Inbox } from '../inbox/inbox.js';
import type { Space } from '../space/space.js';
import { go, route, type View } from '../state/route.js';
import { useStore } from '../state/store.js';

/** The view that the address names. */
export function ViewOf({ view, space }: { readonly view: View; readonly space: Space }) {
  useStore(space.changes);
  const { item } = useStore(route);
  if (view === 'proposals' && item !== undefined)
    return (
      <section class="card-pane alone" aria-label="Proposal">
        <Card
          key={item}
          space={space}
          id={item}
          proposal={space.proposals.get(item)}
          onBack={() => go({ view: 'inbox' })}
          onNext={() => go({ view: 'inbox' })}
        />
      </section>
    );
  return <Inbox space={space} />;
}
