import { differencesOf, proposersOf } from '../batch/differences.js';
import type { Decision } from '../decide/decisions.js';
import { nameOf } from '../space/tools.js';
import { plainLine } from '../text/marked.js';
import { countdown, duration } from '../text/words.js';
import { type InboxEntry, summaryOf } from './entry.js';

interface RowProps {
  readonly entry: InboxEntry;
  readonly isSelected: boolean;
  readonly decision: Decision | undefined;
  /** Whether nobody could run it now. */
  readonly isUnserved: boolean;
  readonly now: number;
  readonly place: number;
  readonly of: number;
  readonly onSelect: (id: string) => void;
}

/** The element id of a row. */
export const rowId = (id: string): string => `row-${encodeURIComponent(id)}`;

/** One row of the list: what, by whom, about what, and the time left. */
export function Row({ entry, isSelected, decision, isUnserved, now, place, of, onSelect }: RowProps) {
  const { id } = entry;
  const members = entry.type === 'batch' ? entry.proposals : [entry.proposal];
  const [proposal] = members;
  if (proposal === undefined) return null;
  const { proposedAt } = proposal;
  const expiresAt = members.reduce(
    (soonest, one) => Math.min(soonest, one.expiresAt ?? soonest),
    Number.POSITIVE_INFINITY,
  );
  const left = expiresAt === Number.POSITIVE_INFINITY ? undefined : expiresAt - now;
  const isSoon = left !== undefined && left < 120_000;
  const about = members.length > 1 ? differencesOf(members) : summaryOf(proposal);
  return (
    <div
      id={rowId(id)}
      role="option"
      aria-selected={isSelected}
      aria-posinset={place}
      aria-setsize={of}
      class={isSelected ? 'row-item on' : 'row-item'}
      onClick={() => onSelect(id)}
    >
      <b class="what">
        {members.length > 1 && `${members.length.toLocaleString()} × `}
        {plainLine(nameOf(proposal))}
      </b>
      {decision?.state === 'sent' ? (
        <span class="when">sending …</span>
      ) : (
        <span class={isSoon ? 'when soon' : 'when'}>
          {left === undefined ? `${duration(now - proposedAt)} ago` : `${countdown(left)} left`}
        </span>
      )}
      <span class="about">
        <bdi class="by">{proposersOf(members).map(plainLine).join(', ')}</bdi>
        {isUnserved && <span class="by warn">nobody serves it</span>}
        {about !== '' && <bdi class="mono">{about}</bdi>}
      </span>
    </div>
  );
}
