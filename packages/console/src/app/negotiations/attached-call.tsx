import { callInOffer } from '@proffer/core/agreement';
import type { MacpEnvelope } from '@proffer/core/negotiation';
import { useHiding } from '../text/hiding.js';
import { Marked, plainLine } from '../text/marked.js';
import { entriesOf } from '../value/entries.js';
import { Entries } from '../value/value-view.js';

interface AttachedCallProps {
  readonly transcript: readonly MacpEnvelope[];
  /** The id of the offer, and what people call it. */
  readonly offer: string;
  readonly title: string;
}

/** The call in an offer, in full: who accepts the offer approves exactly this call (N-32). */
export function AttachedCall({ transcript, offer, title }: AttachedCallProps) {
  const hiding = useHiding();
  const found = callInOffer(transcript, offer);
  if (found === undefined) return null;
  const name = <b>{plainLine(title === '' ? offer : title)}</b>;
  if (!found.ok)
    return (
      <p class="carried tone-bad">
        {name} carries a call that cannot be read: <Marked text={found.refusal.message} />
      </p>
    );
  const { space, ...call } = found.value;
  return (
    <figure class="carried">
      <figcaption class="small">
        Whoever accepts {name} approves a call in the space <Marked text={space} />:
      </figcaption>
      <Entries of={entriesOf(hiding.value(call))} />
    </figure>
  );
}
