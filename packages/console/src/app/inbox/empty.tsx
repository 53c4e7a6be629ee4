import { CommandLine } from '../shell/command.js';
import { Icon } from '../shell/icon.js';
import type { Space } from '../space/space.js';
import { serversOf } from '../space/tools.js';
import { count } from '../text/words.js';
import type { Arranged } from './arrange.js';

/** The sample tool of a gateway in dev mode. */
const SAMPLE = { subject: { list: 'tools', name: 'echo' } } as const;

interface EmptyProps {
  readonly space: Space;
  readonly arranged: Arranged;
  readonly search: string;
  readonly isFiltered: boolean;
  readonly onUnfilter: () => void;
  readonly onAll: () => void;
}

/** The empty inbox: why it is empty, and what to do. */
export function Empty({ space, arranged, search, isFiltered, onUnfilter, onAll }: EmptyProps) {
  if (!space.proposals.isListed) return <p class="empty dim">Loading pending calls …</p>;
  if (search !== '')
    return (
      <div class="empty">
        <p>No pending call matches “{search}”.</p>
        <p class="dim small">Esc clears the search.</p>
      </div>
    );
  if (isFiltered)
    return (
      <div class="empty">
        <p>No pending call matches the filters.</p>
        <button type="button" class="button" onClick={onUnfilter}>
          Clear the filters
        </button>
      </div>
    );
  if (arranged.elsewhere > 0)
    return (
      <div class="empty">
        <Icon name="check" />
        <p>Nothing is waiting for you.</p>
        <p class="dim small">
          {count(arranged.elsewhere, 'proposal')} {arranged.elsewhere === 1 ? 'is' : 'are'} for others to
          decide.
        </p>
        <button type="button" class="button" onClick={onAll}>
          Show {arranged.elsewhere === 1 ? 'it' : 'them'}
        </button>
      </div>
    );
  const isSample = serversOf(SAMPLE, space.participant).length > 0;
  return (
    <div class="empty">
      <Icon name="check" />
      <p>Nothing is waiting for you.</p>
      <p class="dim small">New calls appear here automatically.{isSample && ' To try it, in a terminal:'}</p>
      {isSample && <CommandLine text="npx proffer propose echo --arg text=hello" />}
    </div>
  );
}
