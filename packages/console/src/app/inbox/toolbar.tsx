import type { RefObject } from 'preact';
import { Icon } from '../shell/icon.js';
import { plainLine } from '../text/marked.js';
import type { Arranged, Sort } from './arrange.js';
import { type InboxFilter, RISK_LEVELS } from './filter.js';

interface ToolbarProps {
  readonly arranged: Arranged;
  /** Whether everything pending was listed. */
  readonly isListed: boolean;
  readonly search: string;
  readonly sort: Sort;
  readonly all: boolean;
  readonly filter: InboxFilter;
  readonly searchBox: RefObject<HTMLInputElement | null>;
  readonly onSearch: (text: string) => void;
  readonly onSort: (sort: Sort) => void;
  readonly onAll: (all: boolean) => void;
  readonly onFilter: (filter: InboxFilter) => void;
}

/** Search, sort order and filters of the inbox. */
export function Toolbar(props: ToolbarProps) {
  const { arranged, search, sort, all, filter, onFilter } = props;
  const { agent, risk } = filter;
  // One that is filtered by stays in the list when nothing of it is pending.
  const agents =
    agent === undefined || arranged.agents.includes(agent) ? arranged.agents : [agent, ...arranged.agents];
  return (
    <header class="toolbar">
      <div class="search">
        <Icon name="search" />
        <input
          ref={props.searchBox}
          type="search"
          placeholder="Search"
          aria-label="Search the inbox"
          aria-keyshortcuts="/"
          value={search}
          onInput={({ currentTarget }) => props.onSearch(currentTarget.value)}
        />
        <kbd aria-hidden="true">/</kbd>
      </div>
      <div class="toolbar-row">
        <label class="pick">
          <span class="sr">Order</span>
          <select
            value={sort}
            aria-keyshortcuts="s"
            onChange={({ currentTarget }) => props.onSort(currentTarget.value as Sort)}
          >
            <option value="newest">Newest first</option>
            <option value="least time left">Least time left</option>
          </select>
        </label>
        <span class="pick">
          <select
            aria-label="Agent"
            value={agent ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onFilter({ ...filter, agent: value === '' ? undefined : value })
            }
          >
            <option value="">Any agent</option>
            {agents.map((name) => (
              <option key={name} value={name}>
                {plainLine(name)}
              </option>
            ))}
          </select>
        </span>
        <span class="pick">
          <select
            aria-label="Risk"
            value={risk ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onFilter({ ...filter, risk: value === '' ? undefined : (value as keyof typeof RISK_LEVELS) })
            }
          >
            <option value="">Any risk</option>
            {Object.entries(RISK_LEVELS).map(([level, words]) => (
              <option key={level} value={level}>
                {words}
              </option>
            ))}
          </select>
        </span>
      </div>
      <div class="toolbar-row">
        <label class="check">
          <input
            type="checkbox"
            checked={filter.isAsked === true}
            onChange={({ currentTarget }) => onFilter({ ...filter, isAsked: currentTarget.checked })}
          />
          asked of me
        </label>
        {(arranged.elsewhere > 0 || all) && (
          <label class="check">
            <input
              type="checkbox"
              checked={all}
              onChange={({ currentTarget }) => props.onAll(currentTarget.checked)}
            />
            also {arranged.elsewhere.toLocaleString()} for others
          </label>
        )}
        {!props.isListed && <span class="dim small">loading more …</span>}
      </div>
    </header>
  );
}
