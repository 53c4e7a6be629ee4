import { decisionOn, type Proposal } from '@proffer/core/operations';
import { describeState } from '@proffer/core/words';
import { summaryOf } from '../inbox/entry.js';
import type { Space } from '../space/space.js';
import { go, route, writeRoute } from '../state/route.js';
import { plainLine } from '../text/marked.js';
import { When } from '../text/when.js';

const MAX_COUNT = 10;

/** How the last ten similar calls ended, and who decided them. */
export function SimilarCalls({
  past,
  space,
}: {
  readonly past: readonly Proposal[] | undefined;
  readonly space: Space;
}) {
  if (past === undefined || past.length === 0) return null;
  const shown = past.slice(0, MAX_COUNT);
  return (
    <section class="box">
      <h2>
        <span>Recent similar calls</span>
        <span class="spark" aria-hidden="true">
          {shown.toReversed().map((proposal) => (
            <i key={proposal.id} class={`tone-${describeState(proposal).tone}`} />
          ))}
        </span>
      </h2>
      <ul class="similar">
        {shown.map((proposal) => {
          const { word, tone } = describeState(proposal);
          const decision = decisionOn(proposal);
          const to = { space: space.name, view: 'proposals', item: proposal.id } as const;
          return (
            <li key={proposal.id}>
              <a
                href={writeRoute({ ...route.get(), ...to })}
                onClick={(event) => {
                  event.preventDefault();
                  go(to);
                }}
              >
                <span class={`tone-${tone}`}>{word}</span>
                <bdi class="mono about">{summaryOf(proposal)}</bdi>
                <span class="dim">
                  {decision?.by === undefined ? '' : `${plainLine(decision.by)} · `}
                  <When at={proposal.changedAt} />
                </span>
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
