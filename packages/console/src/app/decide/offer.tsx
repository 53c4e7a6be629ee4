import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { sayKey } from '../keys/key-note.js';
import { useKeys } from '../keys/layers.js';
import { plainLine } from '../text/marked.js';
import { closePanel, OVERTAKEN } from './panel.js';

/** The longest reason that the gateway accepts (O-40). */
const LONGEST = 1_000;

interface OfferProps {
  readonly proposer: string;
  readonly isProposer: boolean;
  /** Why it cannot be sent yet. */
  readonly problem: string | undefined;
  /** Whether somebody else has decided: nothing can be sent any more. */
  readonly isOver: boolean;
  readonly onOffer: (reason: string) => void;
}

/** Makes a counter-offer: the changes are in the editor, the reason and the button here. */
export function Offer({ proposer, isProposer, problem, isOver, onOffer }: OfferProps) {
  const [reason, setReason] = useState('');
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => box.current?.focus(), []);
  const canSend = reason.trim() !== '' && problem === undefined;
  const send = (): void => {
    if (isOver) sayKey(OVERTAKEN);
    else if (canSend) onOffer(reason.trim());
  };
  useKeys({ Escape: closePanel, 'mod+Enter': send });
  return (
    <footer class="bar ask" role="group" aria-label="Offer this instead">
      <p class="why">
        <b>Offer this instead, because …</b>
        <button type="button" class="quiet" onClick={closePanel}>
          Cancel <kbd aria-hidden="true">Esc</kbd>
        </button>
      </p>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <input
          ref={box}
          value={reason}
          maxLength={LONGEST}
          aria-label="Why you offer something else"
          placeholder={isProposer ? 'For the reviewer' : `For ${plainLine(proposer)}`}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <button type="submit" class="button go" disabled={!canSend && !isOver} aria-disabled={isOver}>
          Make the counter-offer
        </button>
      </form>
      <p class="note">
        {isOver
          ? OVERTAKEN
          : problem === undefined
            ? isProposer
              ? 'Nothing runs yet. Reviewers can approve your offer as shown.'
              : `Nothing runs until ${plainLine(proposer)} accepts your offer. Then exactly this runs, approved by you.`
            : `Cannot be sent yet: ${problem}.`}
      </p>
    </footer>
  );
}
