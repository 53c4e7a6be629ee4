import { compareCalls } from '@proffer/core/approvals';
import { type Proposal } from '@proffer/core/operations';
import { useMemo, useRef, useState } from 'preact/hooks';
import { assessRisk } from '../card/risk.js';
import { RiskView } from '../card/risk-view.js';
import { useSeen } from '../card/shown-version.js';
import { Icon } from '../shell/icon.js';
import { runnerOf } from '../space/runner.js';
import { similarTo } from '../space/similar.js';
import type { Space } from '../space/space.js';
import { nameOf } from '../space/tools.js';
import { Marked } from '../text/marked.js';
import { count, listOf } from '../text/words.js';
import { BatchBar } from './batch-bar.js';
import type { RowOrder } from './columns.js';
import { proposersOf } from './differences.js';
import { Members } from './members.js';
import { approveShown, MAX_TOGETHER, rejectShown, useTogether } from './use-together.js';
import { Values } from './values.js';

interface BatchReviewProps {
  readonly space: Space;
  /** The currently pending ones. */
  readonly proposals: readonly Proposal[];
  readonly onBack: () => void;
  readonly onNext: () => void;
}

/**
 * Reviews similar calls together: what they have in common, how they differ, and one action for all. Exactly
 * what was shown is decided.
 */
export function BatchReview({ space, proposals, onBack, onNext }: BatchReviewProps) {
  const box = useRef<HTMLElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const together = useTogether(space, proposals);
  const { shown, chosen, leftOut, problem, reasons } = together;
  const [order, setOrder] = useState<RowOrder>();
  const calls = shown.map(({ proposal }) => proposal);
  const { common, different } = useMemo(() => compareCalls(calls), [shown]);
  const knowsPast = space.knowsPast();
  const what = useMemo(() => {
    const all = shown.map(({ proposal: { id, digest }, by = '', definition }) => [
      id,
      digest,
      by,
      definition,
    ]);
    // In another order, or with reasons that came later, other parts of it were seen.
    return { all: [all, reasons, order?.column ?? '', order?.isDown ?? false], risk: [all, knowsPast] };
  }, [shown, knowsPast, reasons, order]);
  const { share, readOn } = useSeen(box, text, { what, isReady: true });
  const [first] = calls;
  if (first === undefined) return <p class="nothing dim">These calls are no longer waiting.</p>;

  // Several agents may announce the same tool under different names; each is examined.
  const kinds = shown.filter(
    ({ proposal }, place) => calls.findIndex((call) => nameOf(call) === nameOf(proposal)) === place,
  );
  const proposers = proposersOf(calls);
  const known = new Set(calls.map(({ id }) => id));
  const later = proposals.filter(({ id }) => !known.has(id));
  const executors = [...new Set(shown.flatMap(({ by }) => by ?? []))];

  return (
    <>
      <article ref={box} class="card" tabIndex={0} aria-labelledby="batch-title">
        <div ref={text} class="card-body" data-section="all">
          <button type="button" class="back" onClick={onBack}>
            <Icon name="back" /> Back
          </button>
          <header class="heading">
            <h1 id="batch-title">
              <Marked text={listOf(proposers)} /> {proposers.length === 1 ? 'wants' : 'want'} to run{' '}
              <code>
                <Marked text={kinds.map(({ proposal }) => nameOf(proposal)).join(', ')} />
              </code>{' '}
              {count(calls.length, 'time')}
            </h1>
            <p class="by">
              {executors.length === 0 ? (
                (problem ?? '')
              ) : (
                <>
                  on <Marked text={executors.join(', ')} />
                </>
              )}
            </p>
          </header>
          {kinds.map(({ proposal, by }) => {
            const { served } = runnerOf(space, proposal, by);
            const past = knowsPast ? similarTo(proposal, space.proposals) : undefined;
            return <RiskView key={proposal.id} risk={assessRisk(proposal, { served, past })} />;
          })}
          {later.length > 0 && (
            <p class="notice">
              {count(later.length, 'more call')} like these {later.length === 1 ? 'waits' : 'wait'}.{' '}
              <button type="button" class="quiet" onClick={() => together.show(proposals)}>
                Show {later.length > MAX_TOGETHER ? `the next ${MAX_TOGETHER}` : 'them'}
              </button>
            </p>
          )}
          <section class="box">
            <h2>The same in all of them</h2>
            <Values of={common} none="Only the tool is the same." />
          </section>
          <Members
            space={space}
            calls={calls}
            different={different}
            leftOut={leftOut}
            chosen={new Set(chosen.map(({ proposal }) => proposal.id))}
            order={order}
            onOrder={setOrder}
            onLeaveOut={together.onLeaveOut}
          />
        </div>
      </article>
      <BatchBar
        shown={chosen.map(({ proposal }) => `${proposal.id} ${proposal.version}`).join()}
        size={chosen.length}
        proposer={listOf(proposers)}
        share={share}
        onReadOn={readOn}
        named={together.named}
        problem={problem}
        mayApprove={chosen.every(({ proposal }) => space.rights().mayApprove(proposal))}
        onApprove={() => void approveShown(space, together.unchanged())}
        onReject={(why) => rejectShown(space, together.unchanged(), why)}
        onNext={onNext}
      />
    </>
  );
}
