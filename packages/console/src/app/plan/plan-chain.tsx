import { describeState } from '@proffer/core/words';
import type { ComponentChildren } from 'preact';
import { summaryOf } from '../inbox/entry.js';
import type { Space } from '../space/space.js';
import { nameOf } from '../space/tools.js';
import { go, type PageRoute, writeRoute } from '../state/route.js';
import { Marked } from '../text/marked.js';
import { listOf } from '../text/words.js';
import { type PlanStep, planId } from './plan-of.js';

interface PlanChainProps {
  readonly space: Space;
  readonly steps: readonly PlanStep[];
  /** The step whose card this is on. */
  readonly id: string;
}

/** The plan that a proposal belongs to, as a chain: what runs before it, and after it. */
export function PlanChain({ space, steps, id }: PlanChainProps) {
  const here = steps.findIndex(({ proposal }) => proposal.id === id);
  const waits = steps.filter(({ proposal }) => proposal.phase === 'pending').length;
  const { after = [] } = steps[here] ?? {};
  return (
    <section class="plan" aria-label="Plan">
      <p>
        Step {here + 1} of {steps.length}
        {after.length > 0 && `: runs only after ${stepsAt(after)} ${after.length === 1 ? 'is' : 'are'} done`}.{' '}
        {waits > 1 && (
          <Link to={{ space: space.name, view: 'inbox', item: planId(id) }}>Review the whole plan</Link>
        )}
      </p>
      <ol>
        {steps.map(({ proposal, after: before }, place) => (
          <li key={proposal.id} aria-current={place === here ? 'step' : undefined}>
            <Link to={{ space: space.name, view: 'proposals', item: proposal.id }}>
              <code>
                <Marked text={nameOf(proposal)} />
              </code>
            </Link>{' '}
            <span class="dim summary">
              <Marked text={summaryOf(proposal)} />
            </span>{' '}
            <span class={`tone-${describeState(proposal).tone}`}>{describeState(proposal).word}</span>
            {isElsewhere(before, place) && <span class="dim">after {stepsAt(before)}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Whether a step waits for something else than the one drawn before it. */
export function isElsewhere(after: readonly number[], place: number): boolean {
  return after.length > 1 || (after[0] ?? place) !== place;
}

/** The steps with these numbers, in words. */
export function stepsAt(numbers: readonly number[]): string {
  return `${numbers.length === 1 ? 'step' : 'steps'} ${listOf(numbers.map(String))}`;
}

function Link({ to, children }: { readonly to: PageRoute; readonly children: ComponentChildren }) {
  return (
    <a
      href={writeRoute(to)}
      onClick={(event) => {
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}
