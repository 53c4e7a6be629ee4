import type { Proposal } from '@proffer/core/operations';
import type { Risk } from '@proffer/core/words';
import { differencesOf, proposersOf } from '../batch/differences.js';
import type { SentDecision } from '../decide/decisions.js';
import { Icon } from '../shell/icon.js';
import { nameOf } from '../space/tools.js';
import { plainLine } from '../text/marked.js';
import { countdown, relative } from '../text/words.js';
import { type InboxEntry, summaryOf } from './entry.js';
import { RISK_LEVELS } from './filter.js';
import { highestOf } from './risks.js';

interface RowProps {
  readonly entry: InboxEntry;
  readonly isSelected: boolean;
  readonly decision: SentDecision | undefined;
  /** Whether nobody could run it now. */
  readonly isUnserved: boolean;
  readonly riskOf: (proposal: Proposal) => Risk;
  readonly now: number;
  readonly place: number;
  readonly of: number;
  readonly onSelect: (id: string) => void;
}

/** The element id of a row. */
export const rowId = (id: string): string => `row-${encodeURIComponent(id)}`;

/** One row of the list: what, by whom, about what, the time left, and the risk. */
export function Row(props: RowProps) {
  const { entry, isSelected, decision, isUnserved, riskOf, now, place, of, onSelect } = props;
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
  const risk = highestOf(members.map(riskOf));
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
          {left === undefined ? relative(proposedAt, now) : `${countdown(left)} left`}
        </span>
      )}
      {about !== '' && <bdi class="about mono">{about}</bdi>}
      <span class="from">
        <bdi class="by">{proposersOf(members).map(plainLine).join(', ')}</bdi>
        {isUnserved && <span class="by warn">nobody serves it</span>}
      </span>
      {risk !== undefined && <RiskMark risk={risk} />}
    </div>
  );
}

/** The risk in the words of the card, with a shape for its level. */
function RiskMark({ risk: { level, headline } }: { readonly risk: Risk }) {
  return (
    <span class={`risk-mark ${level}`} title={RISK_LEVELS[level]}>
      <Icon name={`risk-${level}`} />
      <span class="sr">{RISK_LEVELS[level]}: </span>
      {headline}
    </span>
  );
}
