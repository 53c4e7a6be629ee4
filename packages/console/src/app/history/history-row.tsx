import { applyChanges, objectOf } from '@proffer/core/json';
import { decisionOn, type Proposal } from '@proffer/core/operations';
import { describeState, MARKS, marksOf } from '@proffer/core/words';
import { summaryOf } from '../inbox/entry.js';
import { rowId } from '../inbox/row.js';
import { nameOf } from '../space/tools.js';
import { go } from '../state/route.js';
import { plainLine } from '../text/marked.js';
import { When } from '../text/when.js';
import { relative, timeOfDay } from '../text/words.js';

const known = new WeakMap<Proposal, Proposal>();

/** A proposal with the params that ran, where a reviewer changed them; else as it was asked. */
function asRan(proposal: Proposal): Proposal {
  const { fulfilment, params } = proposal;
  if (fulfilment === undefined || fulfilment.amendment.length === 0) return proposal;
  const before = known.get(proposal);
  if (before !== undefined) return before;
  const ran = { ...proposal, params: objectOf(applyChanges(params, fulfilment.amendment)) };
  known.set(proposal, ran);
  return ran;
}

interface HistoryRowProps {
  readonly proposal: Proposal;
  readonly isSelected: boolean;
  readonly now: number;
}

/** The titles of the columns. */
export function HistoryColumns() {
  return (
    <div class="history-columns" aria-hidden="true">
      <span class="ending">State</span>
      <span>Call</span>
      <span class="about">What ran or was asked for</span>
      <span class="marks" />
      <span class="people">Asked by</span>
      <span class="people">Decided by</span>
      <span class="at">When</span>
    </div>
  );
}

/** One proposal of the history: how it ended, what ran, who asked and decided, and when. */
export function HistoryRow({ proposal, isSelected, now }: HistoryRowProps) {
  const { word, tone } = describeState(proposal);
  const { id, proposer, changedAt } = proposal;
  const by = decisionOn(proposal)?.by;
  return (
    <div
      id={rowId(id)}
      class={isSelected ? 'history-row on' : 'history-row'}
      role="option"
      aria-selected={isSelected}
      onClick={() => go({ view: 'proposals', item: id })}
    >
      <span class={`ending tone-${tone}`}>{word}</span>
      <b title={plainLine(nameOf(proposal))}>{plainLine(nameOf(proposal))}</b>
      <span class="about mono dim">{summaryOf(asRan(proposal))}</span>
      <span class="marks">
        {marksOf(proposal).map((mark) => (
          <span key={mark} class="mark-tag">
            {MARKS[mark]}
          </span>
        ))}
      </span>
      <span class="people dim">{plainLine(proposer)}</span>
      <span class="people dim">{by === undefined || by === proposer ? '' : plainLine(by)}</span>
      <span class="at dim">
        <When at={changedAt}>{whenOf(changedAt, now)}</When>
      </span>
    </div>
  );
}

const HALF_A_DAY = 12 * 3_600_000;

/** How long ago, or the time of day if that is long ago; the day is above it. */
function whenOf(moment: number, now: number): string {
  return now - moment < HALF_A_DAY ? relative(moment, now) : timeOfDay(moment);
}
