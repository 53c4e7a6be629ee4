import type { Proposal } from '@proffer/core/operations';
import type { Space } from '../space/space.js';
import { gatewayNow } from '../state/clock.js';
import { plainLine } from '../text/marked.js';
import { momentOf } from '../text/words.js';
import { HandOver } from './hand-over.js';
import { closePanel, OVERTAKEN } from './panel.js';
import { sendRemark } from './remarks.js';

interface DelegateProps {
  readonly space: Space;
  readonly proposal: Proposal;
  /** Whether somebody else has decided: there is nothing to hand over any more. */
  readonly isOver: boolean;
}

/** Delegates your part in the review of one proposal. */
export function Delegate({ space, proposal, isOver }: DelegateProps) {
  const onHandOver = (to: string, until: number): void => {
    closePanel();
    void sendRemark(
      proposal.id,
      `${plainLine(to)} decides this in your place until ${momentOf(until, gatewayNow())}.`,
      () => space.participant.delegate(to, { until, proposal: proposal.id }),
    );
  };
  return (
    <footer class="bar ask" role="group" aria-label="Hand this review over">
      <p class="why">
        <b>Hand this review to …</b>
        <button type="button" class="quiet" onClick={closePanel}>
          Cancel <kbd aria-hidden="true">Esc</kbd>
        </button>
      </p>
      <HandOver
        space={space}
        except={proposal.proposer}
        problem={isOver ? OVERTAKEN : undefined}
        onHandOver={onHandOver}
        onCancel={closePanel}
      />
      <p class="note">
        {isOver
          ? OVERTAKEN
          : 'The person you choose must be allowed to approve this call. You can take the review back at any time.'}
      </p>
    </footer>
  );
}
