import { type ProposalProjection, projectNegotiation, type ReadEnvelope } from '@proffer/core/negotiation';
import { useState } from 'preact/hooks';
import { Marked } from '../text/marked.js';
import { timeOfDay } from '../text/words.js';

/** Everything that was said, message by message, with where it stood after each. */
export function Transcript({ projection }: { readonly projection: ProposalProjection }) {
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
            Step on
          </button>
        </span>
      </h2>
      <ol class="steps">
        {transcript.slice(0, shown).map((message) => (
          <li key={message.message_id} class={toneOf(message)}>
            <span class="dot" aria-hidden="true" />
            <span class="what">
              <b>
                <Marked text={message.sender} />
              </b>{' '}
              {wordsOf(message)}
              {saidIn(message) !== '' && (
                <blockquote>
                  <Marked text={saidIn(message)} />
                </blockquote>
              )}
            </span>
            <time dateTime={new Date(message.timestamp_unix_ms).toISOString()}>
              {timeOfDay(message.timestamp_unix_ms)}
            </time>
          </li>
        ))}
      </ol>
      {place !== undefined && <p class="pad dim small">{standingAfter(transcript.slice(0, place))}</p>}
    </section>
  );
}

function wordsOf({ message_type, payload }: ReadEnvelope) {
  const about = 'proposal_id' in payload ? payload.proposal_id : '';
  switch (message_type) {
    case 'SessionStart':
      return 'began it';
    case 'Proposal':
      return `offered ${about}`;
    case 'CounterProposal':
      return `countered with ${about}`;
    case 'Accept':
      return `accepted ${about}`;
    case 'Reject':
      return `rejected ${about}`;
    case 'Withdraw':
      return `withdrew ${about}`;
    case 'Commitment':
      return 'committed it';
    default:
      return message_type;
  }
}

function saidIn({ payload }: ReadEnvelope): string {
  if ('summary' in payload && payload.summary !== '') return payload.summary;
  return 'reason' in payload && typeof payload.reason === 'string' ? payload.reason : '';
}

function toneOf({ message_type }: ReadEnvelope): string {
  if (message_type === 'Accept' || message_type === 'Commitment') return 'good';
  return message_type === 'Reject' ? 'bad' : 'plain';
}

function standingAfter(transcript: readonly ReadEnvelope[]): string {
  const projected = projectNegotiation(transcript);
  if (!projected.ok) return projected.refusal.message;
  const agreed = projected.value.acceptedProposal();
  const converged = projected.value.isConverged()
    ? 'It could have been committed then.'
    : 'Not agreed yet then.';
  return agreed === undefined ? converged : `Those who had accepted, accepted ${agreed}. ${converged}`;
}
