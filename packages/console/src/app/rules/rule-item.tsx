import { gatewayNow } from '../state/clock.js';
import { Marked } from '../text/marked.js';
import { count, relative } from '../text/words.js';
import type { ListedRuleAction, ShownRule } from './read-rules.js';

const TONES: Readonly<Record<ListedRuleAction, string>> = { allow: 'good', ask: 'plain', deny: 'bad' };

/**
 * One rule: what it does, in plain language, and its name.
 *
 * @param note - an additional note
 */
export function RuleItem({ rule, note = '' }: { readonly rule: ShownRule; readonly note?: string }) {
  const { action, words, name, reason } = rule;
  return (
    <li class="rule">
      <span class={`verb tone-${TONES[action]}`}>{action}</span>
      <div>
        <p>
          <Marked text={words} />
        </p>
        {reason !== undefined && (
          <p class="dim small">
            It says: <Marked text={reason} />
          </p>
        )}
        <p class="dim small">
          {name !== undefined && <Marked text={name} />}
          {name !== undefined && note !== '' && ' · '}
          {note}
        </p>
      </div>
    </li>
  );
}

/** How often a rule decided something recently. */
export function decidedInWords({ action, count: times, last, line }: ShownRule): string {
  const where = line === undefined ? '' : `line ${line} · `;
  // A call that is asked about does not record which rule asked.
  if (action === 'ask') return `${where}people decide`;
  if (times === 0 || last === undefined) return `${where}has decided nothing recently`;
  return `${where}decided ${count(times, 'call')} recently, the last ${relative(last, gatewayNow())}`;
}
