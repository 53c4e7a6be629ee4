import { decisionOn, type Proposal } from '@proffer/core/operations';
import { describeState, STATES } from '@proffer/core/words';
import { Icon } from '../shell/icon.js';
import { nameOf } from '../space/tools.js';
import { plainLine } from '../text/marked.js';

/** The search in the history. */
export interface Filter {
  /** Words to find: who, which tool, any argument, a reason. */
  readonly text: string;
  /** The state of a proposal, in the displayed word; empty for any. */
  readonly ending: string;
  /** Who proposed or decided it; empty for anyone. */
  readonly who: string;
  /** Only what was proposed within this many milliseconds. */
  readonly within: number;
}

const ENDINGS: readonly string[] = Object.values(STATES).map(({ word }) => word);

/** The proposals that match. */
export function filterProposals(
  proposals: readonly Proposal[],
  { text, ending, who, within }: Filter,
  now: number,
): readonly Proposal[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return proposals.filter((proposal) => {
    if (ending !== '' && describeState(proposal).word !== ending) return false;
    if (now - proposal.proposedAt > within) return false;
    if (who !== '' && !peopleOf(proposal).includes(who)) return false;
    return words.every((word) => searchable(proposal).includes(word));
  });
}

/** Everyone who took part in it. */
function peopleOf(proposal: Proposal): readonly string[] {
  const { proposer, rejections, fulfilment } = proposal;
  return [proposer, ...rejections.keys(), fulfilment?.by ?? '', fulfilment?.executor ?? ''].filter(Boolean);
}

const texts = new WeakMap<Proposal, string>();

function searchable(proposal: Proposal): string {
  const known = texts.get(proposal);
  if (known !== undefined) return known;
  const { id, params, method, rejections } = proposal;
  const reasons = [...rejections].map(([, { reason, message = '' }]) => `${reason} ${message}`);
  const decision = decisionOn(proposal);
  const parts = [id, method, nameOf(proposal), ...peopleOf(proposal), ...reasons, decision?.reason ?? ''];
  const text = `${parts.join(' ')} ${JSON.stringify(params ?? {}).slice(0, 20_000)}`.toLowerCase();
  texts.set(proposal, text);
  return text;
}

const HOUR = 3_600_000;
const TIMES: readonly (readonly [words: string, within: number])[] = [
  ['Any time', Number.POSITIVE_INFINITY],
  ['Last hour', HOUR],
  ['Last day', 24 * HOUR],
  ['Last week', 168 * HOUR],
  ['Last month', 720 * HOUR],
];

interface FiltersProps {
  readonly filter: Filter;
  readonly people: readonly string[];
  readonly onChange: (filter: Filter) => void;
}

/** What to search for: text, person, ending, time. */
export function Filters({ filter, people, onChange }: FiltersProps) {
  return (
    <div class="filters">
      <div class="search">
        <Icon name="search" />
        <input
          type="search"
          placeholder="Tool, argument, reason, id"
          aria-label="Search the history"
          value={filter.text}
          onInput={({ currentTarget }) => onChange({ ...filter, text: currentTarget.value })}
        />
      </div>
      <select
        aria-label="Who"
        value={filter.who}
        onChange={({ currentTarget }) => onChange({ ...filter, who: currentTarget.value })}
      >
        <option value="">Anyone</option>
        {people.map((name) => (
          <option key={name} value={name}>
            {plainLine(name)}
          </option>
        ))}
      </select>
      <select
        aria-label="How it ended"
        value={filter.ending}
        onChange={({ currentTarget }) => onChange({ ...filter, ending: currentTarget.value })}
      >
        <option value="">Any outcome</option>
        {ENDINGS.map((ending) => (
          <option key={ending}>{ending}</option>
        ))}
      </select>
      <select
        aria-label="When"
        value={String(filter.within)}
        onChange={({ currentTarget }) => onChange({ ...filter, within: Number(currentTarget.value) })}
      >
        {TIMES.map(([words, within]) => (
          <option key={words} value={String(within)}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
