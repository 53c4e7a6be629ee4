import { type JsonObject, objectsIn } from '@proffer/core/json';
import { describeWatched, type WatchCounts } from '@proffer/core/words';
import { numberIn, partOf, textIn } from '../session/answer-parts.js';
import { useAnswer } from '../session/use-answer.js';
import type { Space } from '../space/space.js';
import { count } from '../text/words.js';
import { readRule } from './read-rules.js';
import { RuleItem } from './rule-item.js';

interface WatchedProps {
  readonly space: Space;
  readonly onUse: (text: string) => void;
}

/** At most every two seconds: it examines thousands of messages. */
const PAUSE = 2_000;

/** What was only watched: how often somebody would have been asked, and which rules would have answered. Empty if nothing was. */
export function Watched({ space, onUse }: WatchedProps) {
  const path = `/spaces/${encodeURIComponent(space.name)}/rules/watched`;
  const { answer } = useAnswer(space, path, {
    isNews: ({ payload }) => payload['observed'] !== undefined,
    pause: PAUSE,
  });
  const watched = partOf(answer ?? {}, 'watched');
  const counts = countsIn(watched);
  const suggested = objectsIn(watched?.['suggested']);
  if (counts.calls === 0) return null;
  return (
    <section class="box" aria-label="Watched">
      <h2>
        <span>Seen while watching</span>
      </h2>
      <p class="pad">{describeWatched(counts, numberIn(watched ?? {}, 'until'))}</p>
      <p class="pad dim small">
        Nobody was asked about these calls, and nobody approved them.
        {suggested.length > 0 && (
          <>
            {' '}
            <code>proffer watch --end</code> adds the rules below and asks from then on.
          </>
        )}
      </p>
      <ol class="rule-list">
        {suggested.map((one) => (
          <li class="suggestion" key={textIn(one, 'name')}>
            <ol>
              <RuleItem rule={readRule({ ...one, action: 'allow' })} />
            </ol>
            <p class="pad">
              <button type="button" class="button" onClick={() => onUse(textIn(one, 'text'))}>
                Try it …<span class="sr"> {textIn(one, 'name')}</span>
              </button>{' '}
              <span class="dim small">This rule would answer {count(numberIn(one, 'answers'), 'call')}.</span>
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function countsIn(watched: JsonObject | undefined): WatchCounts {
  const read = (key: keyof WatchCounts): number => numberIn(watched ?? {}, key);
  return {
    since: read('since'),
    calls: read('calls'),
    reads: read('reads'),
    allowed: read('allowed'),
    asked: read('asked'),
    denied: read('denied'),
    rules: read('rules'),
    answered: read('answered'),
  };
}
