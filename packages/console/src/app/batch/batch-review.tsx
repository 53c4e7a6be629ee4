import { compareCalls } from '@proffer/core/approvals';
import { canonicalJson } from '@proffer/core/json';
import type { Proposal } from '@proffer/core/operations';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { assessRisk } from '../card/risk.js';
import { RiskView } from '../card/risk-view.js';
import { useSeen } from '../card/shown-version.js';
import { approve, decisions, reject } from '../decide/decisions.js';
import { Icon } from '../shell/icon.js';
import { recallProposal } from '../space/recall.js';
import { type Runner, runnerOf } from '../space/runner.js';
import { similarTo } from '../space/similar.js';
import type { Space } from '../space/space.js';
import { nameOf } from '../space/tools.js';
import { useStore } from '../state/store.js';
import { Marked, plainLine } from '../text/marked.js';
import { count, listOf } from '../text/words.js';
import { BatchBar } from './batch-bar.js';
import type { RowOrder } from './columns.js';
import { proposersOf } from './differences.js';
import { Members } from './members.js';
import { Values } from './values.js';

/** At most this many are decided at once: nobody reads more. */
const MAX_TOGETHER = 100;

interface BatchReviewProps {
  readonly space: Space;
  /** The currently pending ones. */
  readonly proposals: readonly Proposal[];
  readonly onBack: () => void;
  readonly onNext: () => void;
}

/**
 * Reviews similar calls together: what they have in common, how they differ, and one action for all. Exactly
 * what was shown is decided: later calls wait until they are requested, and those that changed in the
 * meantime are skipped and named.
 */
export function BatchReview({ space, proposals, onBack, onNext }: BatchReviewProps) {
  useStore(space.changes);
  useStore(decisions);
  const box = useRef<HTMLElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<readonly ShownCall[]>(() => show(space, proposals));
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const [order, setOrder] = useState<RowOrder>();
  const [named, setNamed] = useState<readonly string[]>([]);
  const calls = shown.map(({ proposal }) => proposal);
  const { common, different } = useMemo(() => compareCalls(calls), [shown]);
  const knowsPast = space.knowsPast();
  const reasons = JSON.stringify(calls.map(({ id }) => space.proposals.reason(id) ?? ''));
  useEffect(() => recallReasons(space, calls), [shown]);
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
  // Their executor is known shortly after they are shown.
  useEffect(() => {
    const unknown = shown.filter(({ by }) => by === undefined);
    if (unknown.some(({ proposal }) => runnerOf(space, proposal).name !== undefined))
      setShown(shown.map((call) => (call.by === undefined ? showNow(space, call.proposal) : call)));
  });
  const [first] = calls;
  if (first === undefined) return <p class="nothing dim">These calls are no longer waiting.</p>;

  // Several agents may announce the same tool under different names; each is examined.
  const kinds = shown.filter(
    ({ proposal }, place) => calls.findIndex((call) => nameOf(call) === nameOf(proposal)) === place,
  );
  const proposers = proposersOf(calls);
  const known = new Set(calls.map(({ id }) => id));
  const later = proposals.filter(({ id }) => !known.has(id));
  const chosen = shown.filter(({ proposal: { id } }) => !leftOut.has(id) && isOpen(space, id));
  const executors = [...new Set(shown.flatMap(({ by }) => by ?? []))];
  const unclear = chosen
    .map(({ proposal, by }) => problemOf(runnerOf(space, proposal, by)))
    .find((problem) => problem !== undefined);

  function decide(act: (call: ShownCall) => void): void {
    const changed: string[] = [];
    for (const call of chosen) {
      const now = space.proposals.get(call.proposal.id);
      const why = changeSince(call, now, runnerOf(space, call.proposal));
      if (why === undefined) act(call);
      else changed.push(`${call.proposal.id} ${why}`);
    }
    setNamed(changed);
  }

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
                (unclear ?? '')
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
              <button type="button" class="quiet" onClick={() => setShown(show(space, proposals))}>
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
            onLeaveOut={setLeftOut}
          />
        </div>
      </article>
      <BatchBar
        shown={chosen.map(({ proposal }) => `${proposal.id} ${proposal.version}`).join()}
        size={chosen.length}
        proposer={listOf(proposers)}
        share={share}
        onReadOn={readOn}
        named={named}
        problem={unclear}
        mayApprove={chosen.every(({ proposal }) => space.rights().mayApprove(proposal))}
        onApprove={() =>
          decide(({ proposal, by }) => {
            const { params, digest } = proposal;
            void approve(space, proposal, { params, digest, executor: by });
          })
        }
        onReject={(why) => decide(({ proposal }) => void reject(space, proposal, why))}
        onNext={onNext}
      />
    </>
  );
}

/** Why calls cannot be approved together. Somebody new is let in call by call. */
function problemOf({ name, insteadOf, problem }: Runner): string | undefined {
  if (problem !== undefined || insteadOf === undefined) return problem;
  return `${plainLine(name ?? '')} would run it for the first time; approve one of them by itself first`;
}

function show(space: Space, proposals: readonly Proposal[]): readonly ShownCall[] {
  return proposals.slice(0, MAX_TOGETHER).map((proposal) => showNow(space, proposal));
}

function showNow(space: Space, proposal: Proposal): ShownCall {
  return showCall(proposal, runnerOf(space, proposal));
}

/** Whether it is still undecided, here and elsewhere. */
function isOpen(space: Space, id: string): boolean {
  const made = decisions.get().get(id);
  return space.proposals.get(id)?.phase === 'pending' && (made === undefined || made.state === 'refused');
}

/** Proposals that were pending when we connected come without their proposer's reason. Returns how to stop. */
function recallReasons(space: Space, calls: readonly Proposal[]): () => void {
  let isOver = false;
  void (async () => {
    for (const { id } of calls) {
      if (isOver) return;
      if (space.proposals.reason(id) !== undefined) continue;
      // Without an answer, the row has no reason, and its card asks again.
      await recallProposal(space, id).catch(() => {});
      space.changes.set(space.changes.get() + 1);
    }
  })();
  return () => {
    isOver = true;
  };
}

/** A call as it was shown, to see later whether anything about it changed. */
interface ShownCall {
  readonly proposal: Proposal;
  /** The executor that was shown; `undefined` if it was unknown, or there was none. */
  readonly by: string | undefined;
  /** The tool as that executor described it. */
  readonly definition: string;
}

/** Records what is shown. */
function showCall(proposal: Proposal, { name, served }: Runner): ShownCall {
  return { proposal, by: name, definition: canonicalJson(served?.definition ?? {}) };
}

/**
 * What changed about a call since it was shown, as text; `undefined` if it may be decided as it was shown
 * (O-35).
 *
 * @param now - its current state; `undefined` if it is gone
 */
function changeSince(
  shown: ShownCall,
  now: Proposal | undefined,
  { name, served }: Runner,
): string | undefined {
  if (now === undefined || now.phase !== 'pending') return 'is no longer pending';
  if (now.digest !== shown.proposal.digest) return 'is another call now';
  const before = new Set(shown.proposal.rejections.keys());
  const rejected = [...now.rejections.keys()].find((name) => !before.has(name));
  if (rejected !== undefined) return `was rejected by ${rejected} in the meantime`;
  if (name !== shown.by) return 'would be run by someone else now';
  if (canonicalJson(served?.definition ?? {}) !== shown.definition)
    return 'is for a tool that has changed since';
  return undefined;
}
