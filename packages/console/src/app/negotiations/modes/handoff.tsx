import type { HandoffProjection, HandoffView } from '@proffer/core/negotiation';
import { Marked } from '../../text/marked.js';
import { Carried } from './carried.js';

/** A handoff: who holds the responsibility now, and every offer with what it hands over. */
export function Handoff({ projection }: { readonly projection: HandoffProjection }) {
  const { holder = '', offers, isCommitted } = projection;
  const accepted = projection.acceptedOffer();
  return (
    <section class="box">
      <h2>Who holds it</h2>
      <div class="pad state">
        <p class="holder">
          <b>
            <Marked text={holder} />
          </b>
          {accepted !== undefined && !isCommitted && (
            <span class="dim">
              {' '}
              until the handoff to <Marked text={accepted.target} /> is committed
            </span>
          )}
        </p>
        {offers.size === 0 && <p class="dim">Nothing has been offered yet.</p>}
        <ul class="offers">
          {[...offers.values()].map((offer) => (
            <Offered key={offer.handoffId} offer={offer} />
          ))}
        </ul>
      </div>
    </section>
  );
}

const TONES: Readonly<Record<HandoffView['disposition'], string>> = {
  offered: 'tone-warn',
  accepted: 'tone-good',
  declined: 'tone-bad',
};

function Offered({
  offer: { handoffId, target, scope, reason, disposition, answer = '', context },
}: {
  readonly offer: HandoffView;
}) {
  const said = [scope, reason].filter((text) => text !== '').join(': ');
  return (
    <li class="offer">
      <p>
        To{' '}
        <b>
          <Marked text={target} />
        </b>{' '}
        <span class="dim">
          <code>
            <Marked text={handoffId} />
          </code>
        </span>{' '}
        <span class={TONES[disposition]}>{disposition}</span>
        {answer !== '' && ': '}
        <Marked text={answer} />
      </p>
      {said !== '' && (
        <blockquote>
          <Marked text={said} />
        </blockquote>
      )}
      {context.map(({ content_type, context: content }, place) => (
        <Carried key={place} label={`Handed over with it: ${content_type || 'no type'}`} base64={content} />
      ))}
    </li>
  );
}
