import { type JsonObject, objectsIn } from '@proffer/core/json';
import { useEffect, useState } from 'preact/hooks';
import { textIn } from '../session/answer-parts.js';
import { ask } from '../session/http.js';
import type { Space } from '../space/space.js';
import { Marked } from '../text/marked.js';
import type { ListedRuleAction } from './read-rules.js';

const ACTIONS: readonly (readonly [action: ListedRuleAction, words: string])[] = [
  ['allow', 'Allow it'],
  ['deny', 'Deny it'],
  ['ask', 'Always ask'],
];

/** Drafts made from one call: which action, and how widely. */
export function FromCall({
  space,
  proposal,
  onUse,
}: {
  readonly space: Space;
  readonly proposal: string;
  readonly onUse: (text: string) => void;
}) {
  const [action, setAction] = useState<ListedRuleAction>('allow');
  const [drafts, setDrafts] = useState<readonly JsonObject[]>();
  const [chosen, setChosen] = useState(0);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    setProblem(undefined);
    const asked = `draft?proposal=${encodeURIComponent(proposal)}&action=${action}`;
    ask(`/spaces/${encodeURIComponent(space.name)}/rules/${asked}`, space.token).then(
      ({ drafts: made }) => setDrafts(objectsIn(made)),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
  }, [space, proposal, action]);
  const text = textIn(drafts?.[chosen] ?? {}, 'text');
  useEffect(() => {
    if (text !== '') onUse(text);
  }, [text]);
  if (problem !== undefined)
    return (
      <p class="notice bad" role="alert">
        {problem}
      </p>
    );
  if (drafts === undefined) return <p class="dim">Drafting a rule from the call …</p>;
  if (drafts.length === 0)
    return (
      <p class="notice">
        A name in this call contains an asterisk (*), or an argument looks like a secret, so no rule can be
        drafted from this call.
      </p>
    );
  return (
    <section class="box" aria-label="From a call">
      <h2>
        <span>A rule from this call</span>
      </h2>
      <div class="pad">
        <p class="row" role="group" aria-label="What it does">
          {ACTIONS.map(([value, words]) => (
            <button
              key={value}
              type="button"
              class="button"
              aria-pressed={value === action}
              onClick={() => setAction(value)}
            >
              {words}
            </button>
          ))}
        </p>
        <fieldset class="choices">
          <legend>How widely it applies</legend>
          {drafts.map((draft, place) => (
            <label key={place}>
              <input type="radio" name="draft" checked={place === chosen} onChange={() => setChosen(place)} />{' '}
              <span>
                <Marked text={textIn(draft, 'words')} />
              </span>
            </label>
          ))}
        </fieldset>
      </div>
    </section>
  );
}
