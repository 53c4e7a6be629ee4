import type { RefObject } from 'preact';
import { Icon } from '../shell/icon.js';
import type { Arranged } from './arrange.js';
import type { Sort } from './order.js';

interface ToolbarProps {
  readonly arranged: Arranged;
  /** Whether everything pending was listed. */
  readonly isListed: boolean;
  readonly search: string;
  readonly sort: Sort;
  readonly all: boolean;
  readonly searchBox: RefObject<HTMLInputElement | null>;
  readonly onSearch: (text: string) => void;
  readonly onSort: (sort: Sort) => void;
  readonly onAll: (all: boolean) => void;
}

/** Search, sort order and filter of the inbox. */
export function Toolbar(props: ToolbarProps) {
  const { arranged, search, sort, all } = props;
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
