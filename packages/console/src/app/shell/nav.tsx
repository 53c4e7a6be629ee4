import type { SignInSession } from '../session/session.js';
import type { Space } from '../space/space.js';
import { go, type View, writeRoute } from '../state/route.js';
import { useStore } from '../state/store.js';
import { plainLine } from '../text/marked.js';
import { dialog } from './dialogs.js';
import { Icon } from './icon.js';
import { leave } from './leave.js';

/** The views in the navigation, with their key after `g`. */
export const NAV_VIEWS: readonly {
  readonly view: Exclude<View, 'proposals'>;
  readonly title: string;
  readonly key: string;
}[] = [
  { view: 'inbox', title: 'Inbox', key: 'i' },
  { view: 'history', title: 'History', key: 'h' },
  { view: 'negotiations', title: 'Negotiations', key: 'n' },
  { view: 'rules', title: 'Rules', key: 'r' },
  { view: 'insights', title: 'Insights', key: 's' },
  { view: 'people', title: 'People', key: 'p' },
];

interface NavProps {
  readonly space: Space;
  readonly session: SignInSession;
  readonly waiting: number;
  readonly current: View;
}

/** Whether a view is behind “More” on a phone, which has no room for all of them. */
export function isTucked(view: View): boolean {
  return !['inbox', 'history', 'people'].includes(view);
}

/** Links to the views, the user, and the state of the connection. */
export function Nav({ space, session, waiting, current }: NavProps) {
  const { state } = useStore(space.status);
  return (
    <nav class="nav" aria-label="Views">
      <div class="brand">
        <Icon name="mark" />
        <span>Proffer</span>
      </div>
      {session.spaces.length > 1 && (
        <label class="space-choice">
          <span class="sr">Space</span>
          <select
            value={space.name}
            onChange={({ currentTarget }) => go({ space: currentTarget.value, view: 'inbox' })}
          >
            {session.spaces.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <ul>
        {NAV_VIEWS.map(({ view, title }) => (
          <li key={view} class={isTucked(view) ? 'tucked' : undefined}>
            <a
              href={writeRoute({ space: space.name, view })}
              aria-current={view === current ? 'page' : undefined}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey) return;
                event.preventDefault();
                go({ view });
              }}
            >
              <Icon name={view} />
              <span>{title}</span>
              {view === 'inbox' && waiting > 0 && (
                <span class="count" aria-label={`${waiting} waiting`}>
                  {waiting > 999 ? '999+' : waiting}
                </span>
              )}
            </a>
          </li>
        ))}
        <li class="more-tab">
          <button
            type="button"
            class={current !== 'proposals' && isTucked(current) ? 'on' : undefined}
            aria-haspopup="dialog"
            onClick={() => dialog.set('more')}
          >
            <Icon name="more" />
            <span>More</span>
          </button>
        </li>
      </ul>
      <div class="who">
        <p>
          <span class={`dot ${state}`} aria-hidden="true" />
          <span>
            <b>{plainLine(space.me)}</b>
            <span class="dim"> in {plainLine(space.name)}</span>
            <span class="sr">{state === 'live' ? ', connected' : ', not connected'}</span>
          </span>
        </p>
        <button type="button" class="quiet" onClick={() => dialog.set('notifications')}>
          <Icon name="bell" />
          <span>Notifications</span>
        </button>
        <div class="who-actions">
          <button type="button" class="quiet" onClick={() => dialog.set('help')}>
            <span class="sr">Keys </span>
            <kbd>?</kbd>
          </button>
          <button type="button" class="quiet" onClick={() => dialog.set('palette')}>
            <span class="sr">Go to </span>
            <kbd>{/Mac|iP/.test(navigator.platform) ? '⌘K' : 'Ctrl K'}</kbd>
          </button>
          <button type="button" class="quiet" onClick={() => leave(space.token)}>
            Sign out
          </button>
        </div>
      </div>
    </nav>
  );
}
