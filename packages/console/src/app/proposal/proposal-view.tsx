import { Card } from '../card/card.js';
import type { ViewProps } from '../shell/on-demand.js';
import { go } from '../state/route.js';
import { useStore } from '../state/store.js';
import { Timeline } from './timeline.js';

/** One proposal and its whole life, at a permanent URL. */
export function ProposalView({ space, item }: ViewProps) {
  useStore(space.changes);
  if (item === undefined)
    return <p class="nothing dim">This address does not name a call. Open it from the inbox.</p>;
  const proposal = space.proposals.get(item);
  return (
    <section class="card-pane alone" aria-label="Proposal">
      <Card
        key={item}
        space={space}
        id={item}
        proposal={proposal}
        onBack={() => history.back()}
        onNext={() => go({ view: 'inbox' })}
        life={<Timeline space={space} id={item} version={proposal?.version ?? 0} />}
      />
    </section>
  );
}
