import { Icon } from '../shell/icon.js';
import { plainLine } from '../text/marked.js';
import { ENDINGS, type Filter } from './filter.js';

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
        <option value="">Any ending</option>
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
