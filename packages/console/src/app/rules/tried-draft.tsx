import { type JsonObject, objectsIn } from '@proffer/core/json';
import { numberIn, partOf, textIn } from '../session/answer-parts.js';
import type { Space } from '../space/space.js';
import { Marked } from '../text/marked.js';
import { count } from '../text/words.js';
import { PastCalls } from './past-calls.js';
import { readCall, readOneOrMore, readRule } from './read-rules.js';
import { RuleItem } from './rule-item.js';

/** What is wrong with a draft, with positions. */
export function DraftProblems({ problems }: { readonly problems: readonly JsonObject[] }) {
  return (
    <ul class="draft-problems">
      {problems.map((problem, place) => {
        const suggestion = textIn(problem, 'suggestion');
        return (
          <li key={place} class="notice bad">
            Line {numberIn(problem, 'line')}, column {numberIn(problem, 'column')}:{' '}
            <Marked text={`${textIn(problem, 'path')} ${textIn(problem, 'message')}`.trim()} />
            {suggestion !== '' && (
              <>
                {' '}
                Did you mean <Marked text={suggestion} />?
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** A draft in plain language, and what it would have decided. */
export function DraftResult({ space, result }: { readonly space: Space; readonly result: JsonObject }) {
  const different = readOneOrMore(result['different'], readCall);
  const newly = readOneOrMore(result['newlyAutomatic'], readCall);
  return (
    <>
      <ol class="rule-list">
        {objectsIn(result['words']).map((rule, place) => (
          <RuleItem key={place} rule={readRule(rule)} />
        ))}
      </ol>
      <p class="pad">{resultInWords(result)}</p>
      {different.count > 0 && (
        <details class="more" open>
          <summary class="tone-bad">
            {count(different.count, 'call was', 'calls were')} decided differently
          </summary>
          <PastCalls space={space} calls={different.shown} />
        </details>
      )}
      {newly.count > 0 && (
        <details class="more">
          <summary>{count(newly.count, 'call')} that nobody decided</summary>
          <PastCalls space={space} calls={newly.shown} />
        </details>
      )}
    </>
  );
}

function resultInWords(result: JsonObject): string {
  const counts = partOf(result, 'counts');
  const history = partOf(result, 'history');
  const all = numberIn(history, 'proposals');
  if (all === 0) return 'There is no history to try it against yet.';
  const [same, different, newly] = [
    numberIn(counts, 'same'),
    numberIn(counts, 'different'),
    numberIn(counts, 'newly_automatic'),
  ];
  const decided = same + different + newly;
  const already = numberIn(result, 'already');
  const skipped = numberIn(history, 'skipped');
  const how =
    decided === 0
      ? 'none'
      : `${decided.toLocaleString()}: ${same} the same way, ${different} differently, ${newly} that nobody decided`;
  return [
    `Of the last ${count(all, 'proposal')}, this rule would have decided ${how}.`,
    ...(already > 0 ? [`${count(already, 'other is', 'others are')} decided by the rules before it.`] : []),
    ...(skipped > 0 ? [`${count(skipped, 'call')} with very long arguments left out.`] : []),
  ].join(' ');
}
