import type { Proposal } from '@proffer/core';
import type { Decision } from '../decide/decisions.js';
import { nameOf } from '../space/tools.js';
import { plainLine } from '../text/marked.js';
import { countdown, duration } from '../text/words.js';
import { summaryOf } from './arrange.js';

interface RowProps {
  readonly proposal: Proposal;
  readonly isSelected: boolean;
  readonly decision: Decision | undefined;
  readonly now: number;
  readonly place: number;
  readonly of: number;
  readonly onSelect: (id: string) => void;
}

/** The id that a row has in the page. */
export const rowId = (proposal: string): string => `row-${encodeURIComponent(proposal)}`;

/** One proposal in the list: what, by whom, about what, and how much time is left. */
export function Row({ proposal, isSelected, decision, now, place, of, onSelect }: RowProps) {
  const { id, proposer, expiresAt, proposedAt } = proposal;
  const left = expiresAt === undefined ? undefined : expiresAt - now;
  const isSoon = left !== undefined && left < 120_000;
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
      <b class="what">{plainLine(nameOf(proposal))}</b>
      {decision?.state === 'sent' ? (
        <span class="when">sending …</span>
      ) : (
        <span class={isSoon ? 'when soon' : 'when'}>
          {left === undefined ? `${duration(now - proposedAt)} ago` : `${countdown(left)} left`}
        </span>
      )}
      <span class="about">
        <bdi class="by">{plainLine(proposer)}</bdi>
        <bdi class="mono">{summaryOf(proposal)}</bdi>
      </span>
    </div>
  );
}
