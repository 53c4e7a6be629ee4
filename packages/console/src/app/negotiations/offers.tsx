import type { ProposalSession } from '@proffer/client/negotiation';
import type { ProposalProjection, SessionMetadata, SessionProposalView } from '@proffer/core/negotiation';
import { useState } from 'preact/hooks';
import { Marked, plainLine } from '../text/marked.js';
import { listOf } from '../text/words.js';
import { Action, AskReason } from './action.js';
import { AttachedCall } from './attached-call.js';

interface OffersProps {
  readonly session: ProposalSession;
  /** The session, or as it was at an earlier moment. */
  readonly projection: ProposalProjection;
  readonly isPast: boolean;
  readonly metadata: SessionMetadata;
  readonly me: string;
}

/** The offers as a tree: each counter-offer under what it counters; and the possible replies. */
export function Offers({ session, projection, metadata, me, isPast }: OffersProps) {
  const { proposals } = projection;
  const roots = [...proposals.values()].filter(
    ({ supersedes }) => supersedes === undefined || !proposals.has(supersedes),
  );
  const mayTakePart = !isPast && metadata.state === 'OPEN' && metadata.participants.includes(me);
  return (
    <section class="box">
      <h2>Offers</h2>
      {roots.length === 0 && <p class="pad dim">Nobody has offered anything yet.</p>}
      {roots.length > 0 && (
        <ul class="offers pad">
          {roots.map((offer) => (
            <Offer
              key={offer.proposalId}
              offer={offer}
              session={session}
              projection={projection}
              me={me}
              mayTakePart={mayTakePart}
            />
          ))}
        </ul>
      )}
      {mayTakePart && (
        <div class="pad last">
          <NewOffer
            label="Make an offer"
            send={(title, summary) => session.propose(newId(), title, { summary })}
          />
        </div>
      )}
    </section>
  );
}

interface OfferProps {
  readonly offer: SessionProposalView;
  readonly session: ProposalSession;
  readonly projection: ProposalProjection;
  readonly me: string;
  readonly mayTakePart: boolean;
}

function Offer({ offer, session, projection, me, mayTakePart }: OfferProps) {
  const { proposalId, proposer, title, summary, disposition, supersededBy } = offer;
  const counters = [...projection.proposals.values()].filter(({ supersedes }) => supersedes === proposalId);
  const isLive = disposition === 'live';
  const isAgreed = projection.acceptedProposal() === proposalId;
  const accepters = [...projection.accepts].flatMap(([name, accepted]) =>
    accepted.proposalId === proposalId ? [name] : [],
  );
  const isAccepted = projection.accepts.get(me)?.proposalId === proposalId;
  return (
    <li class={isLive ? 'offer' : 'offer withdrawn'}>
      <p>
        <b>
          <Marked text={title === '' ? proposalId : title} />
        </b>{' '}
        <span class="dim">
          by <Marked text={proposer} /> · <code>{<Marked text={proposalId} />}</code>
          {isLive ? '' : supersededBy === undefined ? ' · withdrawn' : ' · countered'}
        </span>
        {isAgreed && <span class="agreed">accepted by {listOf(accepters.map(plainLine))}</span>}
      </p>
      {summary !== '' && (
        <blockquote>
          <Marked text={summary} />
        </blockquote>
      )}
      <AttachedCall transcript={projection.transcript} offer={proposalId} title={title} />
      {mayTakePart && isLive && (
        <div class="actions">
          {!isAccepted && <Action label="Accept" run={() => session.accept(proposalId)} />}
          <AskReason label="Reject" ask="Why" run={(reason) => session.reject(proposalId, { reason })} />
          <NewOffer
            label="Counter"
            send={(next, words) => session.counterPropose(newId(), proposalId, next, { summary: words })}
          />
          {proposer === me && <Action label="Withdraw" run={() => session.withdraw(proposalId)} />}
        </div>
      )}
      {counters.length > 0 && (
        <ul class="offers">
          {counters.map((counter) => (
            <Offer
              key={counter.proposalId}
              offer={counter}
              session={session}
              projection={projection}
              me={me}
              mayTakePart={mayTakePart}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

interface NewOfferProps {
  readonly label: string;
  readonly send: (title: string, summary: string) => Promise<unknown>;
}

/** The form for an offer or a counter-offer. */
function NewOffer({ label, send }: NewOfferProps) {
  const [isOpen, setOpen] = useState(false);
  const [title, setTitle] = useState('');
  const [summary, setSummary] = useState('');
  if (!isOpen)
    return (
      <button type="button" class="button" onClick={() => setOpen(true)}>
        {label}
      </button>
    );
  return (
    <div class="new-offer">
      <input
        aria-label="Title"
        placeholder="In a few words"
        value={title}
        onInput={({ currentTarget }) => setTitle(currentTarget.value)}
      />
      <textarea
        aria-label="Terms"
        placeholder="The terms"
        rows={3}
        value={summary}
        onInput={({ currentTarget }) => setSummary(currentTarget.value)}
      />
      <div class="actions">
        <Action
          label={label}
          isMain
          run={async () => {
            await send(title.trim(), summary.trim());
            setOpen(false);
            setTitle('');
            setSummary('');
          }}
        />
        <button type="button" class="quiet" onClick={() => setOpen(false)}>
          Cancel
        </button>
      </div>
    </div>
  );
}

function newId(): string {
  return crypto.randomUUID().slice(0, 8);
}
