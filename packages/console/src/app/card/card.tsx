import type { Proposal } from '@proffer/core/operations';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../shell/icon.js';
import { recallProposal } from '../space/recall.js';
import type { Space } from '../space/space.js';
import { Review } from './review.js';

export interface CardProps {
  readonly space: Space;
  readonly id: string;
  /** What is known of it; `undefined` if it is not in the model, as with an old link. */
  readonly proposal: Proposal | undefined;
  readonly onBack: () => void;
  readonly onNext: () => void;
  /** What is shown in place of what happened so far. */
  readonly life?: ComponentChildren;
}

/** A proposal by its id: asked for where it is not known, else the whole of it with the ways to decide. */
export function Card({ space, id, proposal, onBack, onNext, life }: CardProps) {
  const [problem, setProblem] = useState<string>();
  // What was pending when we came is known without its proposer's words.
  const isMissing = proposal === undefined || space.proposals.reason(id) === undefined;
  useEffect(() => {
    if (!isMissing) return;
    recallProposal(space, id)
      .then(() => space.changes.set(space.changes.get() + 1))
      .catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  }, [id, isMissing]);
  if (proposal !== undefined)
    return (
      <Review
        space={space}
        proposal={proposal}
        isComplete={!isMissing || problem !== undefined}
        onBack={onBack}
        onNext={onNext}
        life={life}
      />
    );
  return (
    <div class="nothing">
      <button type="button" class="back" onClick={onBack}>
        <Icon name="back" /> Back
      </button>
      {problem === undefined ? <p class="dim">Loading …</p> : <p role="alert">{problem}</p>}
    </div>
  );
}
