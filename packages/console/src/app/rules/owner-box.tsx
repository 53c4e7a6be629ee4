import type { Space } from '../space/space.js';
import { Marked } from '../text/marked.js';
import { count } from '../text/words.js';
import { PastCalls } from './past-calls.js';
import type { ListedRuleOwner } from './read-rules.js';
import { decidedInWords, RuleItem } from './rule-item.js';

const DECIDES: Readonly<Record<string, string>> = {
  guard: 'Guards a server: what its rules allow runs at once, what they deny never does.',
  hook: 'Decides before a coding agent runs a tool.',
  steward: 'Decides proposals instead of people.',
};

/** The rules of one participant, in evaluation order. */
export function OwnerBox({ space, owner }: { readonly space: Space; readonly owner: ListedRuleOwner }) {
  const { participant, rules, otherwise, earlier, lately, problem } = owner;
  return (
    <section class="box" aria-label={`Rules of ${participant}`}>
      <h2>
        <span>
          <Marked text={participant} />
        </span>
        <span class="dim small">{owner.connected ? 'connected' : 'not connected now'}</span>
      </h2>
      <p class="pad dim small">
        {DECIDES[owner.owner] ?? 'Decides by rules.'}
        <br />
        <code>
          <Marked text={owner.source} />
        </code>
        , version{' '}
        <code>
          <Marked text={owner.version} />
        </code>
      </p>
      {problem !== undefined && (
        <p class="notice inset">
          <Marked text={problem} />
        </p>
      )}
      <ol class="rule-list">
        {rules.map((rule, place) => (
          <RuleItem key={place} rule={rule} note={decidedInWords(rule)} />
        ))}
        {otherwise !== undefined && (
          <RuleItem rule={otherwise} note={`where no rule matches · ${decidedInWords(otherwise)}`} />
        )}
      </ol>
      {earlier > 0 && (
        <p class="pad dim small">
          {count(earlier, 'call was', 'calls were')} decided lately by rules that no longer exist.
        </p>
      )}
      {lately.length > 0 && (
        <details class="more">
          <summary>What they decided last ({lately.length})</summary>
          <PastCalls space={space} calls={lately} rules={rules} />
        </details>
      )}
    </section>
  );
}
