import { type JsonObject, objectsIn } from '@proffer/core/json';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useKeys } from '../keys/layers.js';
import { ask } from '../session/http.js';
import type { Space } from '../space/space.js';
import { Marked, plainLine } from '../text/marked.js';
import type { ListedRuleOwner } from './read-rules.js';
import { DraftProblems, DraftResult } from './tried-draft.js';

/** The pause in typing before a draft is tried, in milliseconds. */
const PAUSE = 400;

/** The result of trying a draft. */
type Tried =
  | { readonly state: 'trying' }
  | { readonly state: 'refused'; readonly problem: string }
  | { readonly state: 'tried'; readonly result: JsonObject };

/**
 * Tries a draft against the history, shortly after its last change.
 *
 * @param behind - whose rules come before it, if any
 */
function useTried(space: Space, text: string, behind: string): Tried {
  const [tried, setTried] = useState<Tried>({ state: 'trying' });
  useEffect(() => {
    setTried({ state: 'trying' });
    let isOld = false;
    const timer = setTimeout(() => {
      const draft = { rules: text, ...(behind === '' ? {} : { behind }) };
      ask(`/spaces/${encodeURIComponent(space.name)}/rules/try`, space.token, draft).then(
        (result) => isOld || setTried({ state: 'tried', result }),
        (error: unknown) =>
          isOld ||
          setTried({ state: 'refused', problem: error instanceof Error ? error.message : String(error) }),
      );
    }, PAUSE);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [space, text, behind]);
  return tried;
}

interface DraftEditorProps {
  readonly space: Space;
  readonly owners: readonly ListedRuleOwner[];
  /** The initial text of the draft. */
  readonly start: string;
  /** Whether it starts with typing; else with a choice among drafts above it. */
  readonly isFirst: boolean;
  readonly onClose: () => void;
}

/** A rule being written: checked while typing, explained, and tried before it is kept. */
export function DraftEditor({ space, owners, start, isFirst, onClose }: DraftEditorProps) {
  const [text, setText] = useState(start);
  const [behind, setBehind] = useState(
    () => owners.find(({ problem }) => problem === undefined)?.participant ?? '',
  );
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => setText(start), [start]);
  useEffect(() => {
    if (isFirst) field.current?.focus();
  }, [start, isFirst]);
  useKeys({ Escape: onClose });
  const tried = useTried(space, text, behind);
  const problems = tried.state === 'tried' ? objectsIn(tried.result['problems']) : [];
  const isRight = tried.state === 'tried' && tried.result['problems'] === undefined;
  return (
    <section class="box draft" aria-label="A draft">
      <h2>
        <span>A draft</span>
        <button type="button" class="quiet" onClick={onClose}>
          Discard <kbd aria-hidden="true">Esc</kbd>
        </button>
      </h2>
      <div class="pad">
        <label class="field">
          The rules, as in a rule file
          <textarea
            ref={field}
            class="mono"
            rows={Math.min(Math.max(text.split('\n').length + 1, 6), 18)}
            spellcheck={false}
            value={text}
            aria-describedby="draft-result"
            aria-invalid={problems.length > 0}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <label class="field">
          Try it after the rules of
          <select value={behind} onChange={({ currentTarget }) => setBehind(currentTarget.value)}>
            {owners
              .filter(({ problem }) => problem === undefined)
              .map(({ participant }) => (
                <option key={participant} value={participant}>
                  {plainLine(participant)}
                </option>
              ))}
            <option value="">nobody (these rules alone)</option>
          </select>
        </label>
      </div>
      <div id="draft-result" role="status" aria-busy={tried.state === 'trying'}>
        {tried.state === 'trying' && <p class="pad dim">Trying it against the history …</p>}
        {tried.state === 'refused' && <p class="notice inset bad">{tried.problem}</p>}
        {problems.length > 0 && <DraftProblems problems={problems} />}
        {isRight && <DraftResult space={space} result={tried.result} />}
      </div>
      {isRight && <KeepDraft text={text} owner={owners.find(({ participant }) => participant === behind)} />}
    </section>
  );
}

/**
 * How to keep a draft: with a command, on the machine that has the file. The console writes no rules: the
 * right to approve calls does not include deciding what needs no approval.
 */
function KeepDraft({ text, owner }: { readonly text: string; readonly owner: ListedRuleOwner | undefined }) {
  const [copied, setCopied] = useState<'copied' | 'failed'>();
  const isFile = owner !== undefined && owner.source !== 'default rules';
  const command = commandFor(text, isFile ? owner.source : 'rules.yaml');
  const copy = (): void => {
    // Without TLS, browsers have no clipboard API.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    (clipboard?.writeText(command) ?? Promise.reject(new Error('no clipboard'))).then(
      () => setCopied('copied'),
      () => setCopied('failed'),
    );
  };
  return (
    <div class="pad keep">
      <h3>Keep this rule</h3>
      <p>
        {isFile ? (
          <>
            Run this where <Marked text={owner.participant} /> runs. It adds the rule at the end of the file,
            so the rules that are there still come first. The rule takes effect at once.
          </>
        ) : (
          <>
            Run this in the folder of your rule file, then start the guard or steward with{' '}
            <code>--rules rules.yaml</code>.
          </>
        )}
      </p>
      <pre class="rule-command" tabIndex={0} aria-label="The command that adds the rule">
        <Marked text={command} />
      </pre>
      <p class="row">
        <button type="button" class="button go" onClick={copy}>
          Copy
        </button>
        <span class="dim" role="status">
          {copied === 'copied' && 'Copied.'}
          {copied === 'failed' &&
            'The browser does not allow copying here. Select the text and copy it yourself.'}
        </span>
      </p>
    </div>
  );
}

/** A command that adds rules to a file, quoted so that no shell interprets them. */
function commandFor(text: string, file: string): string {
  let end = 'RULES';
  while (text.split('\n').includes(end)) end += '_';
  const word = /^[\w./:-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
  return `npx proffer rules add ${word} <<'${end}'\n${text.trimEnd()}\n${end}`;
}
