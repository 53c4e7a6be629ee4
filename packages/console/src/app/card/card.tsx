import type { Proposal } from '@proffer/core/operations';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../shell/icon.js';
import { recallProposal } from '../space/recall.js';
import type { Space } from '../space/space.js';
import { useStore } from '../state/store.js';
import { HidingContext } from '../text/hiding.js';
import { useHiddenValues } from './hidden-values.js';
import { Review } from './review.js';

export interface CardProps {
  readonly space: Space;
  readonly id: string;
  /** The current state of the proposal; `undefined` if it is not in the model, as with an old link. */
  readonly proposal: Proposal | undefined;
  readonly onBack: () => void;
  readonly onNext: () => void;
  /** Shown in place of the history so far. */
  readonly life?: ComponentChildren;
}

/** A proposal by its id: fetched if it is not known, else shown in full with its actions. */
export function Card({ space, id, proposal, onBack, onNext, life }: CardProps) {
  const [problem, setProblem] = useState<string>();
  const hidden = useHiddenValues(space, id);
  // Proposals that were pending when we connected come without their proposer's message.
  const isMissing = proposal === undefined || space.proposals.reason(id) === undefined;
  const reviews = useStore(space.reviews);
  const read = useRef(reviews);
  useEffect(() => {
    if (!isMissing && read.current === reviews) return;
    read.current = reviews;
    recallProposal(space, id)
      .then(() => space.changes.set(space.changes.get() + 1))
      .catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  }, [id, isMissing, reviews]);
  if (proposal !== undefined)
    return (
      <HidingContext.Provider value={hidden.hiding}>
        <Review
          space={space}
          proposal={proposal}
          hidden={hidden}
          isComplete={!isMissing || problem !== undefined}
          onBack={onBack}
          onNext={onNext}
          life={life}
        />
      </HidingContext.Provider>
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
