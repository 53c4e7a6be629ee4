import { partsOf } from '@proffer/core/approvals';
import type { Proposal } from '@proffer/core/operations';
import { describeState } from '@proffer/core/words';
import { useMemo, useRef } from 'preact/hooks';
import { BatchBar } from '../batch/batch-bar.js';
import { proposersOf } from '../batch/differences.js';
import { approveShown, rejectShown, useTogether } from '../batch/use-together.js';
import { Values } from '../batch/values.js';
import { assessRisk } from '../card/risk.js';
import { RiskView } from '../card/risk-view.js';
import { useSeen } from '../card/shown-version.js';
import { Icon } from '../shell/icon.js';
import { runnerOf } from '../space/runner.js';
import { similarTo } from '../space/similar.js';
import type { Space } from '../space/space.js';
import { nameOf } from '../space/tools.js';
import { Marked, plainLine } from '../text/marked.js';
import { listOf } from '../text/words.js';
import { LanguageContext, languageOfFile } from '../value/language.js';
import { isElsewhere, stepsAt } from './plan-chain.js';
import { planOf } from './plan-of.js';

interface PlanReviewProps {
  readonly space: Space;
  /** A step of it. */
  readonly of: Proposal | undefined;
  readonly onBack: () => void;
  readonly onNext: () => void;
}

/** Reviews a whole plan (O-37): every step in full, in the order in which they run, and one decision for all of them. */
export function PlanReview({ space, of, onBack, onNext }: PlanReviewProps) {
  const box = useRef<HTMLElement>(null);
  const text = useRef<HTMLDivElement>(null);
  // As it was when it was opened: a step that is done, or another that comes, does not move the others.
  const steps = useMemo(() => (of === undefined ? [] : planOf(of, space.proposals.values())), [of?.id]);
  const together = useTogether(
    space,
    steps.map(({ proposal }) => proposal),
  );
  const { shown, reasons, problem } = together;
  const chosen = together.chosen.filter(({ proposal }) => space.rights().mayApprove(proposal));
  const knowsPast = space.knowsPast();
  const what = useMemo(
    () => ({
      all: [
        reasons,
        knowsPast,
        ...shown.map(({ proposal: { id, digest }, by = '', definition }) => [id, digest, by, definition]),
      ],
    }),
    [shown, reasons, knowsPast],
  );
  const { share, readOn } = useSeen(box, text, { what, isReady: true });
  if (steps.length === 0) return <p class="nothing dim">These calls are no longer waiting.</p>;
  const proposers = proposersOf(shown.map(({ proposal }) => proposal));

  /** The last step first: when the first one runs, the decision on all the others is recorded. */
  function approvePlan(): void {
    const calls = together.unchanged().filter((call) => chosen.includes(call));
    if (calls.length < chosen.length) return;
    void approveShown(space, calls.toReversed());
  }

  return (
    <>
      <article ref={box} class="card" tabIndex={0} aria-labelledby="plan-title">
        <div ref={text} class="card-body" data-section="all">
          <button type="button" class="back" onClick={onBack}>
            <Icon name="back" /> Back
          </button>
          <header class="heading">
            <h1 id="plan-title">
              <Marked text={listOf(proposers)} /> {proposers.length === 1 ? 'wants' : 'want'} to run a plan of{' '}
              {steps.length} steps
            </h1>
            <p class="by">
              A step runs once the steps before it have succeeded. If one fails, the rest do not run.
            </p>
          </header>
          <ol class="plan-steps">
            {shown.map(({ proposal, by }, place) => {
              const { id } = proposal;
              const now = space.proposals.get(id) ?? proposal;
              const { served } = runnerOf(space, proposal, by);
              const past = knowsPast ? similarTo(proposal, space.proposals) : undefined;
              const { after = [] } = steps[place] ?? {};
              const reason = space.proposals.reason(id) ?? '';
              const parts = partsOf(proposal);
              return (
                <li key={id} class="box">
                  <h2>
                    <span>
                      {place + 1}.{' '}
                      <code>
                        <Marked text={nameOf(proposal)} />
                      </code>
                      {by !== undefined && (
                        <span class="dim">
                          {' '}
                          on <Marked text={by} />
                        </span>
                      )}
                      {isElsewhere(after, place) && <span class="dim"> · after {stepsAt(after)}</span>}
                    </span>
                    <span class={`tone-${describeState(now).tone}`}>{stateOf(now, space)}</span>
                  </h2>
                  <div class="pad">
                    <RiskView risk={assessRisk(proposal, { served, past })} />
                  </div>
                  <LanguageContext.Provider value={languageOfFile(parts.given)}>
                    <Values of={parts} none="No arguments were given." />
                  </LanguageContext.Provider>
                  {reason !== '' && (
                    <p class="pad dim">
                      <Marked text={proposal.proposer} />
                      ’s reason: <Marked text={reason} />
                    </p>
                  )}
                </li>
              );
            })}
          </ol>
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
        mayApprove
        whole="the plan"
        onApprove={approvePlan}
        onReject={(why) =>
          rejectShown(
            space,
            together.unchanged().filter((call) => chosen.includes(call)),
            why,
          )
        }
        onNext={onNext}
      />
    </>
  );
}

/** Where a step stands, for this user. */
function stateOf(now: Proposal, space: Space): string {
  const { phase, rejections } = now;
  if (phase !== 'pending') return describeState(now).word;
  if (rejections.size > 0) return `rejected by ${listOf([...rejections.keys()].map(plainLine))}`;
  return space.rights().mayApprove(now) ? describeState(now).word : 'for others to decide';
}
