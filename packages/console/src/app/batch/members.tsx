import type { CallParts } from '@proffer/core/approvals';
import type { Proposal } from '@proffer/core/operations';
import { describeState } from '@proffer/core/words';
import { type Decision, decisions } from '../decide/decisions.js';
import type { Space } from '../space/space.js';
import { nameOf } from '../space/tools.js';
import { go, writeRoute } from '../state/route.js';
import { useStore } from '../state/store.js';
import { Marked } from '../text/marked.js';
import { Values } from './values.js';

const NOTHING: CallParts = { given: {}, others: {} };

interface MembersProps {
  readonly space: Space;
  readonly calls: readonly Proposal[];
  /** What is different about each of them. */
  readonly different: readonly CallParts[];
  readonly leftOut: ReadonlySet<string>;
  readonly onToggle: (id: string) => void;
}

/** Each of the calls with what is different about it, in full; each can be left out or opened separately. */
export function Members({ space, calls, different, leftOut, onToggle }: MembersProps) {
  const made = useStore(decisions);
  const isMixed = new Set(calls.map(fromOf)).size > 1;
  // Agents may have the same tool under different names; which one it is in each case decides.
  const areNamed = new Set(calls.map(nameOf)).size > 1;
  return (
    <section class="box">
      <h2>How they differ</h2>
      <ol class="members">
        {calls.map((call, place) => {
          const { id } = call;
          const now = space.proposals.get(id) ?? call;
          const to = { space: space.name, view: 'inbox', item: id } as const;
          return (
            <li key={id} class="member">
              <label>
                <input
                  type="checkbox"
                  checked={!leftOut.has(id)}
                  disabled={now.phase !== 'pending'}
                  onChange={() => onToggle(id)}
                />
                <span class="sr">Include call {place + 1}</span>
              </label>
              <div>
                {isMixed && (
                  <p class="by">
                    <Marked text={fromOf(call)} />
                  </p>
                )}
                {areNamed && (
                  <code>
                    <Marked text={nameOf(call)} />
                  </code>
                )}
                <Values of={different[place] ?? NOTHING} none="exactly the same" />
              </div>
              <span class="member-side">
                <State now={now} decision={made.get(id)} />
                <a
                  href={writeRoute(to)}
                  onClick={(event) => {
                    event.preventDefault();
                    go(to);
                  }}
                >
                  Open<span class="sr"> call {place + 1}</span>
                </a>
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** The proposer of the call and its session, if known. */
function fromOf({ proposer, origin }: Proposal): string {
  const { session } = origin ?? {};
  return session === undefined ? proposer : `${proposer} · session ${session}`;
}

function State({ now, decision }: { readonly now: Proposal; readonly decision: Decision | undefined }) {
  if (now.phase !== 'pending') {
    const { word, tone } = describeState(now);
    return <span class={`tone-${tone}`}>{word}</span>;
  }
  if (decision?.state === 'refused') return <span class="tone-bad">{decision.problem}</span>;
  if (decision === undefined) return null;
  return <span class="dim">{decision.state === 'sent' ? 'sent …' : 'recorded'}</span>;
}
