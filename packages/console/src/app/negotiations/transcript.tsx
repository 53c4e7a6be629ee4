import { describeMessage, type MacpEnvelope } from '@proffer/core/negotiation';
import { Marked } from '../text/marked.js';
import { When } from '../text/when.js';

interface TranscriptProps {
  readonly transcript: readonly MacpEnvelope[];
  /** How many messages the board shows; undefined for all. */
  readonly place: number | undefined;
  readonly onPlace: (place: number | undefined) => void;
}

/** Everything that was said, message by message. Steps the board through it. */
export function Transcript({ transcript, place, onPlace }: TranscriptProps) {
  const shown = place ?? transcript.length;
  const step = (next: number): void => onPlace(next >= transcript.length ? undefined : next);
  return (
    <section class="box">
      <h2>
        <span>What was said</span>
        <span class="actions">
          <button type="button" class="quiet" disabled={shown <= 1} onClick={() => step(shown - 1)}>
            Step back
          </button>
          <button
            type="button"
            class="quiet"
            disabled={shown >= transcript.length}
            onClick={() => step(shown + 1)}
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
