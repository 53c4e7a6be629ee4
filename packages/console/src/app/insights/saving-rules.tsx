import { objectsIn } from '@proffer/core/json';
import { readCall, readOneOrMore, readRule } from '../rules/read-rules.js';
import { RuleItem } from '../rules/rule-item.js';
import { useAnswer } from '../session/use-answer.js';
import type { Space } from '../space/space.js';
import { go, writeRoute } from '../state/route.js';
import { count } from '../text/words.js';

/** How many are listed; the rest is in the Rules view. */
const LISTED = 5;

/** The rules that would have answered most questions, according to what people decided. */
export function SavingRules({ space }: { readonly space: Space }) {
  const { answer, problem } = useAnswer(space, `/spaces/${encodeURIComponent(space.name)}/rules/suggestions`);
  const suggestions = objectsIn(answer?.['suggestions']).slice(0, LISTED);
  const to = { space: space.name, view: 'rules' } as const;
  return (
    <section class="box">
      <h2>
        <span>Rules that would save the most questions</span>
        <a
          class="quiet"
          href={writeRoute(to)}
          onClick={(event) => {
            event.preventDefault();
            go(to);
          }}
        >
          Try them in Rules
        </a>
      </h2>
      {answer === undefined && (
        <p class="pad dim">{problem === undefined ? 'Comparing what was decided …' : problem.message}</p>
      )}
      {answer !== undefined && suggestions.length === 0 && (
        <p class="pad dim">
          None yet. A rule is suggested when people have decided the same way three times.
        </p>
      )}
      <ol class="rule-list">
        {suggestions.map((suggestion, place) => {
          const asked = readOneOrMore(suggestion['evidence'], readCall).count;
          const newly = readOneOrMore(suggestion['newlyAutomatic'], readCall).count;
          return (
            <RuleItem
              key={place}
              rule={readRule(suggestion)}
              note={`would have saved ${count(asked + newly, 'question')}`}
            />
          );
        })}
      </ol>
    </section>
  );
}
