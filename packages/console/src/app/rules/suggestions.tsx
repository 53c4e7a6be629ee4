import { type JsonObject, objectsIn } from '@proffer/core/json';
import { useEffect, useState } from 'preact/hooks';
import { numberIn, partOf, textIn } from '../session/answer-parts.js';
import { ask } from '../session/http.js';
import type { Space } from '../space/space.js';
import { Marked, plainLine } from '../text/marked.js';
import { count, listOf } from '../text/words.js';
import { PastCalls } from './past-calls.js';
import { readCall, readOneOrMore, readRule } from './read-rules.js';
import { RuleItem } from './rule-item.js';

interface SuggestionsProps {
  readonly space: Space;
  readonly onUse: (text: string) => void;
}

/** The rules that people's decisions already follow, with those decisions as evidence. */
export function Suggestions({ space, onUse }: SuggestionsProps) {
  const [found, setFound] = useState<JsonObject>();
  const [problem, setProblem] = useState<string>();
  function look(): void {
    setFound(undefined);
    setProblem(undefined);
    ask(`/spaces/${encodeURIComponent(space.name)}/rules/suggestions`, space.token).then(
      setFound,
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
  }
  useEffect(look, [space]);
  const suggestions = objectsIn(found?.['suggestions']);
  const passedOver = objectsIn(found?.['passedOver']);
  return (
    <section class="box" aria-label="Suggestions">
      <h2>
        <span>Suggested from what people decided</span>
        {found !== undefined && (
          <button type="button" class="quiet" onClick={look}>
            Check again
          </button>
        )}
      </h2>
      <div role="status">
        {problem !== undefined && <p class="notice inset bad">{problem}</p>}
        {found === undefined && problem === undefined && <p class="pad dim">Comparing what was decided …</p>}
        {found !== undefined && suggestions.length === 0 && <p class="pad dim">{explainEmpty(found)}</p>}
      </div>
      <ol class="rule-list">
        {suggestions.map((suggestion, place) => (
          <Suggestion key={place} space={space} of={suggestion} onUse={onUse} />
        ))}
      </ol>
      {passedOver.length > 0 && (
        <details class="more">
          <summary>Not suggested, because someone decided differently ({passedOver.length})</summary>
          <ol class="rule-list">
            {passedOver.map((one, place) => (
              <PassedOver key={place} space={space} of={one} />
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}

function explainEmpty(found: JsonObject): string {
  const history = partOf(found, 'history');
  const decided = numberIn(history, 'decided');
  if (decided === 0) return 'Nothing yet: people have decided nothing here recently.';
  const closest = partOf(found, 'closest');
  const tool = plainLine(textIn(closest, 'tool'));
  const near = tool === '' ? '' : ` The closest: ${tool}, ${count(numberIn(closest, 'alike'), 'time')}.`;
  const all = count(numberIn(history, 'proposals'), 'proposal');
  return `No kind of call has been decided the same way three times yet. People decided ${decided} of the last ${all}.${near}`;
}

function Suggestion({ space, of, onUse }: { readonly of: JsonObject } & SuggestionsProps) {
  const rule = readRule(of);
  const evidence = readOneOrMore(of['evidence'], readCall);
  const newly = readOneOrMore(of['newlyAutomatic'], readCall);
  const already = (of['already'] ?? []) as readonly string[];
  const verb = rule.action === 'allow' ? 'allowed' : 'denied';
  return (
    <li class="suggestion">
      <ol>
        <RuleItem rule={rule} />
      </ol>
      {already.length > 0 && (
        <p class="pad dim small">
          <Marked text={listOf(already)} /> {already.length === 1 ? 'does' : 'do'} this by rule already.
        </p>
      )}
      <details class="more">
        <summary>
          People {verb} this {count(evidence.count, 'time')} and never differently
        </summary>
        <PastCalls space={space} calls={evidence.shown} />
      </details>
      {newly.count > 0 && (
        <details class="more">
          <summary>
            This rule would also have decided {count(newly.count, 'call')} that nobody decided
          </summary>
          <PastCalls space={space} calls={newly.shown} />
        </details>
      )}
      <p class="pad">
        <button type="button" class="button" onClick={() => onUse(textIn(of, 'text'))}>
          Try it …<span class="sr"> {rule.name}</span>
        </button>
      </p>
    </li>
  );
}

function PassedOver({ space, of }: { readonly space: Space; readonly of: JsonObject }) {
  const different = readOneOrMore(of['different'], readCall);
  return (
    <li class="suggestion">
      <ol>
        <RuleItem rule={readRule(of)} />
      </ol>
      <details class="more">
        <summary>
          {count(numberIn(of, 'evidence'), 'decision')} for it, {count(different.count, 'decision')} against
          it
        </summary>
        <PastCalls space={space} calls={different.shown} />
      </details>
    </li>
  );
}
