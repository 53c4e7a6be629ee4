import { partsOf } from '@proffer/core/approvals';
import { inOrderOf, type JsonObject, objectOf, replacementIn } from '@proffer/core/json';
import { type Proposal } from '@proffer/core/operations';
import { type ServerTrustQuestion, trustQuestionIn } from '@proffer/core/words';
import { useMemo } from 'preact/hooks';
import { useHiding } from '../text/hiding.js';
import { Marked } from '../text/marked.js';
import { memo } from '../text/memo.js';
import { DiffView } from '../value/diff-view.js';
import { entriesOf } from '../value/entries.js';
import { LanguageContext, languageOfFile } from '../value/language.js';
import { LongText } from '../value/long-text.js';
import { Entries } from '../value/value-view.js';

interface ArgumentsProps {
  readonly proposal: Proposal;
  /** The author of the counter-offer, if it is one. */
  readonly offeredBy?: string | undefined;
  /** The tool's schema, which gives a sensible order of arguments. */
  readonly schema: JsonObject | undefined;
  /** As the JSON that was sent. */
  readonly raw: boolean;
  readonly onRaw: (raw: boolean) => void;
}

/** All arguments in full; as JSON with one key press. */
export function Arguments({ proposal, offeredBy, schema, raw, onRaw }: ArgumentsProps) {
  const { method, params, subject } = proposal;
  return (
    <section class="box" data-section="arguments">
      <h2>
        <span>
          {titleOf(proposal)}
          {offeredBy !== undefined && (
            <>
              : the offer of <Marked text={offeredBy} />
            </>
          )}
        </span>
        <button
          type="button"
          class="quiet"
          aria-pressed={raw}
          aria-keyshortcuts="."
          onClick={() => onRaw(!raw)}
        >
          {raw ? 'Readable' : 'Raw JSON'} <kbd aria-hidden="true">.</kbd>
        </button>
      </h2>
      <Shown method={method} params={params} subject={subject} schema={schema} raw={raw} />
    </section>
  );
}

function titleOf(proposal: Proposal): string {
  if (trustQuestionIn(proposal) !== undefined) return 'What the server says';
  return proposal.phase === 'pending' ? 'What will run' : 'What was asked for';
}

type ShownProps = Pick<Proposal, 'method' | 'params' | 'subject'> & Pick<ArgumentsProps, 'schema' | 'raw'>;

const Shown = memo(({ method, params: real, subject, schema, raw }: ShownProps) => {
  const hiding = useHiding();
  const params = useMemo(() => real && hiding.value(real), [real, hiding]);
  if (raw) return <LongText text={JSON.stringify({ method, params }, undefined, 2)} isCode language="json" />;
  const question = trustQuestionIn({ params });
  if (question !== undefined) return <Trusted question={question} />;
  const { given, others } = partsOf({ params, subject });
  const rest = entriesOf(others);
  const edit = replacementIn(given);
  const order = Object.keys(objectOf(schema?.['properties']));
  const entries = inOrderOf(order, entriesOf(edit?.rest ?? given));
  return (
    <LanguageContext.Provider value={languageOfFile(given)}>
      {entries.length === 0 && rest.length === 0 && edit === undefined && (
        <p class="pad dim">No arguments were given.</p>
      )}
      {entries.length > 0 && <Entries of={entries} />}
      {edit !== undefined && <DiffView before={edit.before} after={edit.after} />}
      {rest.length > 0 && (
        <>
          <h3 class="sub">Sent along with the arguments</h3>
          <Entries of={rest} />
        </>
      )}
    </LanguageContext.Provider>
  );
});

/** What a server says about its tools; what changed about it, if there is something to compare with. */
function Trusted({ question: { was, is } }: { readonly question: ServerTrustQuestion }) {
  if (was === undefined) return <Entries of={entriesOf(is)} />;
  const [before, after] = [was, is].map((one) => JSON.stringify(one, undefined, 2));
  return <DiffView before={before ?? ''} after={after ?? ''} />;
}
