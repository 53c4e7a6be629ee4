import type { Counter, Proposal } from '@proffer/core/operations';
import type { Space } from '../space/space.js';
import { Marked } from '../text/marked.js';
import { When } from '../text/when.js';
import { shortDigest } from '../text/words.js';
import { Changes } from '../value/changes-view.js';

interface OffersProps {
  readonly space: Space;
  readonly proposal: Proposal;
  /** The counter-offer that the card shows in place of the proposal. */
  readonly shown: string | undefined;
  readonly onShow: (counter: string | undefined) => void;
  /** Accepts an offer, as its proposer; `undefined` for anyone else. */
  readonly onAccept: ((counter: Counter) => void) | undefined;
}

/** The counter-offers as a conversation: each reply under what it replies to (O-40). */
export function Offers(props: OffersProps) {
  const { proposal } = props;
  if (proposal.counters.length === 0) return null;
  return (
    <section class="box offers-box" data-section="offers">
      <h2>
        <span>Offered instead</span>
        {props.shown !== undefined && proposal.phase === 'pending' && (
          <button type="button" class="quiet" onClick={() => props.onShow(undefined)}>
            Back to what was proposed
          </button>
        )}
      </h2>
      <Answers {...props} to={proposal.id} />
    </section>
  );
}

function Answers({ to, ...props }: OffersProps & { readonly to: string }) {
  const answers = props.proposal.counters.filter(({ answers }) => answers === to);
  if (answers.length === 0) return null;
  return (
    <ol class="counters">
      {answers.map((counter) => (
        <li key={counter.id}>
          <OneOffer {...props} counter={counter} />
          <Answers {...props} to={counter.id} />
        </li>
      ))}
    </ol>
  );
}

const STATES = { live: 'open', accepted: 'accepted', withdrawn: 'taken back' } as const;

function OneOffer({
  space,
  proposal,
  shown,
  onShow,
  onAccept,
  counter,
}: OffersProps & { readonly counter: Counter }) {
  const { id, by, reason, amendment, state, digest, at } = counter;
  const isMine = by === space.me;
  const isOpen = proposal.phase === 'pending' && state === 'live';
  const verb = by === proposal.proposer ? (isMine ? 'answer' : 'answers') : isMine ? 'offer' : 'offers';
  const title = `counter-${id}`;
  return (
    <article class={`counter ${isOpen ? 'live' : state}`} aria-labelledby={title}>
      <header id={title}>
        <span>
          <b>{isMine ? 'You' : <Marked text={by} />}</b> {verb}
        </span>
        <span class="tag">{!isOpen && state === 'live' ? 'over' : STATES[state]}</span>
        <When at={at} />
      </header>
      <blockquote>
        <Marked text={reason} />
      </blockquote>
      <Changes changes={amendment} />
      <p class="counter-foot">
        <span class="mono dim small">{shortDigest(digest)}</span>
        {isOpen && by === proposal.proposer && space.rights().mayApprove(proposal, counter.params) && (
          <button type="button" class="button" aria-pressed={shown === id} onClick={() => onShow(id)}>
            {shown === id ? 'Shown above' : 'Review this offer'}
          </button>
        )}
        {isOpen && !isMine && onAccept !== undefined && (
          <button type="button" class="button go" onClick={() => onAccept(counter)}>
            Accept and run
          </button>
        )}
      </p>
    </article>
  );
}
