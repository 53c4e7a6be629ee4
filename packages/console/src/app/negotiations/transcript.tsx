import { defined } from '@proffer/core/json';
import {
  describeMessage,
  type MacpEnvelope,
  type PolicyRules,
  PROPOSAL_MODE,
  ProposalProjection,
  SessionProjection,
} from '@proffer/core/negotiation';
import { useState } from 'preact/hooks';
import { Marked } from '../text/marked.js';
import { When } from '../text/when.js';

/** Everything that was said, message by message, with where it stood after each. */
export function Transcript({ projection }: { readonly projection: ProposalProjection | SessionProjection }) {
  const { transcript } = projection;
  const [place, setPlace] = useState<number>();
  const shown = place ?? transcript.length;
  return (
    <section class="box">
      <h2>
        <span>What was said</span>
        <span class="actions">
          <button type="button" class="quiet" disabled={shown <= 1} onClick={() => setPlace(shown - 1)}>
            Step back
          </button>
          <button
            type="button"
            class="quiet"
            disabled={shown >= transcript.length}
            onClick={() => setPlace(shown + 1 >= transcript.length ? undefined : shown + 1)}
          >
            Step forward
          </button>
        </span>
      </h2>
      <ol class="steps">
        {transcript.slice(0, shown).map((message) => (
          <Step key={message.message_id} message={message} />
        ))}
      </ol>
      {place !== undefined && (
        <p class="pad dim small">{standingAfter(transcript.slice(0, place), projection.terms?.rules)}</p>
      )}
    </section>
  );
}

function Step({ message }: { readonly message: MacpEnvelope }) {
  const { by, verb, about, said, tone } = describeMessage(message);
  return (
    <li class={tone === 'caution' ? 'plain' : tone}>
      <span class="dot" aria-hidden="true" />
      <span class="what">
        <b>
          <Marked text={by} />
        </b>{' '}
        {verb} <Marked text={about} />
        {said !== '' && (
          <blockquote>
            <Marked text={said} />
          </blockquote>
        )}
      </span>
      <When at={message.timestamp_unix_ms} />
    </li>
  );
}

/** Where it stood, under the rules that the session has. */
function standingAfter(transcript: readonly MacpEnvelope[], rules: PolicyRules | undefined): string {
  const options = defined({ rules });
  const projection =
    transcript[0]?.mode === PROPOSAL_MODE ? new ProposalProjection(options) : new SessionProjection(options);
  for (const envelope of transcript) {
    const applied = projection.apply(envelope);
    if (!applied.ok) return applied.refusal.message;
  }
  const isOfOffers = projection instanceof ProposalProjection;
  const isAgreed = isOfOffers
    ? projection.isConverged()
    : projection.explain()?.outcomes.includes('positive') === true;
  const standing = isAgreed ? 'It could have been committed then.' : 'Not agreed yet then.';
  const agreed = isOfOffers ? projection.acceptedProposal() : undefined;
  return agreed === undefined ? standing : `Accepted so far: ${agreed}. ${standing}`;
}
