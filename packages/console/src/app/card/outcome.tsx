import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import { type Proposal } from '@proffer/core/operations';
import { describeUnknown } from '@proffer/core/words';
import { useHiding } from '../text/hiding.js';
import { Marked } from '../text/marked.js';
import { useVoice } from '../text/voice.js';
import { LongText } from '../value/long-text.js';
import { ValueView } from '../value/value-view.js';

interface OutcomeProps {
  readonly proposal: Proposal;
  readonly me: string;
  /** The executor's JSON-RPC response. */
  readonly answer: JsonObject | undefined;
}

/** The outcome, with the tool's own result. */
export function Outcome({ proposal, me, answer }: OutcomeProps) {
  const { phase, fulfilment, outcome } = proposal;
  const voice = useVoice(me);
  const hiding = useHiding();
  if (phase === 'fulfilled')
    return (
      <section class="box running" aria-live="polite">
        <p class="pad">
          Approved and recorded. <Marked text={fulfilment?.executor ?? 'The executor'} /> is running this call
          …
        </p>
      </section>
    );
  if (phase === 'allowed')
    return (
      <section class="box running" aria-live="polite">
        <h2>Allowed</h2>
        <p class="pad">
          <Marked text={fulfilment?.executor ?? proposal.proposer} /> runs this call itself, and has not
          reported back.
        </p>
      </section>
    );
  if (phase !== 'settled') return null;
  if (outcome?.result === 'unknown') {
    const isUnreported = outcome.cause === 'not_reported';
    return (
      <section class={isUnreported ? 'box running' : 'box unknown'}>
        <h2>{isUnreported ? 'Allowed; no report' : 'The outcome is unknown'}</h2>
        <p class="pad">{describeUnknown(outcome, voice)}</p>
      </section>
    );
  }
  const { result, error: failure } = hiding.value(answer ?? {});
  const error = isJsonObject(failure) ? failure : undefined;
  const isError = error !== undefined || (isJsonObject(result) && result['isError'] === true);
  return (
    <section class={isError ? 'box failed' : 'box done'}>
      <h2>
        <span>{outcome?.notRun === true ? 'It did not run' : isError ? 'It failed' : 'It ran'}</span>
        {outcome?.by !== undefined && (
          <span class="dim">
            <Marked text={outcome.by} /> answered
          </span>
        )}
      </h2>
      {error !== undefined && <Failure error={error} />}
      {error === undefined && result !== undefined && <Result result={result} />}
    </section>
  );
}

function Failure({ error }: { readonly error: JsonObject }) {
  const { message, data } = error;
  return (
    <div class="pad">
      <LongText text={typeof message === 'string' ? message : 'There was no error message.'} isCode />
      {data !== undefined && <ValueView name="data" value={data} />}
    </div>
  );
}

function Result({ result }: { readonly result: JsonValue }) {
  const content = isJsonObject(result) && isJsonArray(result['content']) ? result['content'] : undefined;
  if (content === undefined) return <div class="pad">{<ValueView name="" value={result} />}</div>;
  if (content.length === 0) return <p class="pad dim">It returned nothing.</p>;
  return (
    <div class="pad contents">
      {content.map((part, index) => (
        <Part key={index} part={part} />
      ))}
    </div>
  );
}

const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/;

/** One part of a tool's result, as in MCP. Links are shown as text; nothing is fetched. */
function Part({ part }: { readonly part: JsonValue }) {
  if (!isJsonObject(part)) return <ValueView name="" value={part} />;
  const { type, text, data, mimeType } = part;
  if (type === 'text' && typeof text === 'string') return <LongText text={text} isCode />;
  if (type === 'image' && typeof data === 'string' && typeof mimeType === 'string' && PICTURE.test(mimeType))
    return <img alt="Part of the result" src={`data:${mimeType};base64,${data}`} />;
  return <ValueView name="" value={part} />;
}
